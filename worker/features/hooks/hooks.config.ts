import type * as z from 'zod'
import type { Proof, SignInMethod } from '../../identity/lifecycle.ts'
import type {
  ApprovalFacts,
  InvitationFacts,
  MembershipChange,
  OrganizationFacts,
} from '../../identity/model/events.ts'
import type { RiskLevel } from '../../identity/model/risk.ts'
import type { PublicSession } from '../../identity/users/announce.ts'
import type { PresentedUser } from '../../identity/users/present-user.ts'
import type { AccountTypes, AnyAccounts, ProductTypes, UserFieldsOf } from '../../kit/account-types.ts'
import type { SettableFields, ShownFields } from '../../kit/field-types.ts'
import type { Language } from '../../kit/language.ts'
import { callable, defineOptions, section } from '../../kit/options.ts'
import type { AnyEnv, EnvOf } from '../../platform/env.ts'

type Eventually<T> = T | Promise<T>

/** The second argument of a hook. */
export interface HookContext<Own = AnyEnv> {
  /** The Worker's bindings, variables and secrets. */
  env: EnvOf<Own>
  request: {
    /** Null when unknown. */
    ip: string | null
    city: string | null
    /** ISO 3166-1. */
    country: string | null
    /** BCP 47: one of the languages of the app. */
    language: Language
    userAgent: string
  }
  /** Runs work after the response, best effort. */
  after(work: () => unknown): void
}

/** A rejection: the body of the response. */
export interface Refusal {
  /** Upper case, digits and underscores. */
  code: string
  message: string
  /** 400 to 499; 403 unless given. */
  status?: number
}

/** No value: the operation continues. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
export type Verdict = { refuse: Refusal } | undefined | void

/** The same with changes: name, image and fields of `user.additionalFields`, including those that users cannot set. */
export type Amendment<P extends AccountTypes = AnyAccounts> =
  | { change: { name?: string; image?: string | null } & SettableFields<UserFieldsOf<P>> }
  | Verdict

/** At least this level, and why: lower case, digits and dashes. */
export type Raise = { raise: { level: Exclude<RiskLevel, 'nothing'>; reason: string } } | Verdict

/** A user before the insertion, in the form of get-session. */
export type UserToBe<P extends AccountTypes = AnyAccounts> = Partial<PresentedUser> &
  Pick<PresentedUser, 'name' | 'email'> &
  Partial<ShownFields<UserFieldsOf<P>>>

/** A user with the fields of the product. */
type HookUser<P extends AccountTypes> = PresentedUser & ShownFields<UserFieldsOf<P>>

type Hook<Own, Event, Result = unknown> = ((event: Event, context: HookContext<Own>) => Eventually<Result>) | null

/**
 * The product's own functions. Hooks in -ing are awaited and may reject; an exception or a timeout rejects too (503).
 * The others run after the response, and their failures are logged. No hook gets a password, a token or a hash.
 */
export interface Hooks<Own = AnyEnv, P extends AccountTypes = AnyAccounts> {
  /** Called before a user is created in any way: sign-up, provider, link, code, number, guest, administrator. */
  creatingUser?: Hook<Own, { user: UserToBe<P> }, Amendment<P>>
  /**
   * Called before a change of name, image, username, address, number or additional fields by the user, a provider or an
   * administrator; `changes` has the new values. For a new address or number and an uploaded image the hook can only
   * reject, before the mail is sent or the code is used: its own changes count where the rest of the profile is
   * written. Not called for roles, bans, passwords, the second factor, and the confirmation of an address or number.
   */
  updatingUser?: Hook<
    Own,
    { user: HookUser<P>; changes: Partial<ShownFields<UserFieldsOf<P>>> & Record<string, unknown> },
    Amendment<P>
  >
  /** Called before a user is deleted, by the user or by an administrator. It can reject. */
  deletingUser?: Hook<Own, { user: HookUser<P> }, Verdict>
  /** Called after a user has passed every check and before the session is created. */
  signingIn?: Hook<Own, { user: HookUser<P>; method: SignInMethod; proven: Proof }, Verdict>
  /**
   * Called while a sign-in with a right password is assessed (`risk` must not be off). It can raise the level, never lower it:
   * `{ raise: { level: 'challenge', reason: 'bot-score' } }`. `level` and `reasons` are the decision without it.
   */
  assessing?: Hook<
    Own,
    {
      user: HookUser<P>
      method: SignInMethod
      level: RiskLevel
      reasons: string[]
      network: { asn: number | null; region: string | null }
    },
    Raise
  >
  /**
   * Called at least once per user, also if the response of the sign-up was lost: a call that throws or times out is
   * repeated. It may be called twice, so it should be idempotent by `user.id`.
   */
  userCreated?: Hook<Own, { user: HookUser<P> }>
  /** After a change of a user; `user` has the new values. */
  userUpdated?: Hook<Own, { user: HookUser<P> }>
  /** After a user was deleted. */
  userDeleted?: Hook<Own, { user: HookUser<P> }>
  /** After a session was created. The method is `rotation` if a session replaces another one of the same user. */
  sessionIssued?: Hook<Own, { user: HookUser<P>; session: PublicSession; method: SignInMethod }>
  /** After a sign-out. */
  signedOut?: Hook<Own, { session: PublicSession }>
  /** After a password was reset by a link or code. */
  passwordReset?: Hook<Own, { user: HookUser<P> }>
  /** After an organization was created. */
  organizationCreated?: Hook<Own, { organization: OrganizationFacts }>
  /** After a change of an organization. */
  organizationUpdated?: Hook<Own, { organization: OrganizationFacts }>
  /** After an organization was deleted. */
  organizationDeleted?: Hook<Own, { organization: OrganizationFacts }>
  /** After a user became a member, also by an accepted invitation. */
  memberAdded?: Hook<Own, MembershipChange>
  /** After a member left or was removed. */
  memberRemoved?: Hook<Own, MembershipChange>
  /** After the roles of a member changed. */
  roleChanged?: Hook<Own, MembershipChange>
  /** After an invitation was created. */
  invitationCreated?: Hook<Own, { invitation: InvitationFacts }>
  /** After an invitation was accepted. */
  invitationAccepted?: Hook<Own, MembershipChange & { invitation: InvitationFacts }>
  /** After an application or an agent has asked a user for an approval, for a message in your own channel. */
  approvalRequested?: Hook<Own, { approval: ApprovalFacts }>
}

const hook = <H>() => callable().nullable().default(null) as unknown as z.ZodDefault<z.ZodType<H, H>>

const hooks = (): { [K in keyof Hooks]-?: z.ZodDefault<z.ZodType<Required<Hooks>[K], Required<Hooks>[K]>> } => ({
  creatingUser: hook(),
  updatingUser: hook(),
  deletingUser: hook(),
  signingIn: hook(),
  assessing: hook(),
  userCreated: hook(),
  userUpdated: hook(),
  userDeleted: hook(),
  sessionIssued: hook(),
  signedOut: hook(),
  passwordReset: hook(),
  organizationCreated: hook(),
  organizationUpdated: hook(),
  organizationDeleted: hook(),
  memberAdded: hook(),
  memberRemoved: hook(),
  roleChanged: hook(),
  invitationCreated: hook(),
  invitationAccepted: hook(),
  approvalRequested: hook(),
})

export const hookOptions = defineOptions('hooks', () => section(hooks()))

export const hooksAreOn = (options: Readonly<Record<string, unknown>>): boolean =>
  Object.values(hookOptions.of({ options })).some((one) => one !== null)

export interface TypedHookOptions<T extends ProductTypes> {
  hooks?: Hooks<T['env'], T['product']>
}
