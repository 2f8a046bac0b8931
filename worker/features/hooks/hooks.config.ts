import type * as z from 'zod'
import type { InvitationFacts, MemberFacts, OrganizationFacts } from '../../identity/events/events.ts'
import type { PublicSession } from '../../identity/events/record.ts'
import type { Proof, SignInMethod } from '../../identity/lifecycle.ts'
import type { PresentedUser } from '../../identity/users/present-user.ts'
import { callable } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import type { Env } from '../../platform/env.ts'

type Eventually<T> = T | Promise<T>

/** What a hook may use besides what it is told. */
export interface HookContext {
  /** The Worker's bindings, variables and secrets. */
  env: Env
  request: {
    /** Null when unknown. */
    ip: string | null
    city: string | null
    /** ISO 3166-1. */
    country: string | null
    language: 'en' | 'de'
    userAgent: string
  }
  /** Work that the answer does not wait for, best effort. */
  after(work: () => unknown): void
}

/** No, and why: the body of the answer. */
export interface Refusal {
  /** Upper case, digits and underscores. */
  code: string
  message: string
  /** 400 to 499; 403 unless given. */
  status?: number
}

/** Nothing where it may go on as it is. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
export type Verdict = { refuse: Refusal } | undefined | void

/** The same with changes: a name, a picture, and fields of `user.additionalFields`, also such as people may not set. */
export type Amendment = { change: { name?: string; image?: string | null; [field: string]: unknown } } | Verdict

/** A person who is not written yet, as get-session will show them. */
export type UserToBe = Partial<PresentedUser> & Pick<PresentedUser, 'name' | 'email'>

type Hook<Event, Result = unknown> = ((event: Event, context: HookContext) => Eventually<Result>) | null

type Membership = { organization: OrganizationFacts; member: MemberFacts }

/**
 * Functions of the product's own at the places where something happens to people. Those in -ing are waited for and may
 * refuse, and what they throw or a time-out refuses as well (503); the others run after the answer, and what becomes of
 * them is only logged. None is told a password, a token or a hash.
 */
export interface Hooks {
  /** Every way to come into being: sign-up, provider, link, code, number, guest, an administrator. */
  creatingUser: Hook<{ user: UserToBe }, Amendment>
  /**
   * A person is to be called or reached otherwise, whoever wants it (themselves, a provider, an administrator): name,
   * picture, username, address, number, additional fields; `changes` says which. For a new address or number, and for a
   * picture that is uploaded, it may only refuse, and is asked before the mail goes out or the code is used;
   * what it would change counts only where the rest of the profile is written. Not asked about roles, bans, passwords,
   * the second factor, and that an address or number has been confirmed.
   */
  updatingUser: Hook<{ user: PresentedUser; changes: Record<string, unknown> }, Amendment>
  deletingUser: Hook<{ user: PresentedUser }, Verdict>
  /** Somebody has proven all that they are asked for, and is about to get a session. */
  signingIn: Hook<{ user: PresentedUser; method: SignInMethod; proven: Proof }, Verdict>
  userCreated: Hook<{ user: PresentedUser }>
  userUpdated: Hook<{ user: PresentedUser }>
  userDeleted: Hook<{ user: PresentedUser }>
  /** Also with `rotation` for its method: a session took the place of another of the same person. */
  sessionIssued: Hook<{ user: PresentedUser; session: PublicSession; method: SignInMethod }>
  signedOut: Hook<{ session: PublicSession }>
  passwordReset: Hook<{ user: PresentedUser }>
  organizationCreated: Hook<{ organization: OrganizationFacts }>
  organizationUpdated: Hook<{ organization: OrganizationFacts }>
  organizationDeleted: Hook<{ organization: OrganizationFacts }>
  memberAdded: Hook<Membership>
  memberRemoved: Hook<Membership>
  roleChanged: Hook<Membership>
  invitationCreated: Hook<{ invitation: InvitationFacts }>
  invitationAccepted: Hook<Membership & { invitation: InvitationFacts }>
}

const none: Hooks = {
  creatingUser: null,
  updatingUser: null,
  deletingUser: null,
  signingIn: null,
  userCreated: null,
  userUpdated: null,
  userDeleted: null,
  sessionIssued: null,
  signedOut: null,
  passwordReset: null,
  organizationCreated: null,
  organizationUpdated: null,
  organizationDeleted: null,
  memberAdded: null,
  memberRemoved: null,
  roleChanged: null,
  invitationCreated: null,
  invitationAccepted: null,
}

const hook = callable().nullable()
const rules = Object.fromEntries(Object.keys(none).map((name) => [name, hook])) as unknown as Record<
  keyof Hooks,
  z.ZodType
>

export const hookOptions = defineOptions('hooks', none, undefined, rules)

export const hooksAreOn = (options: Readonly<Record<string, unknown>>): boolean =>
  Object.values(hookOptions.of({ options })).some((one) => one !== null)
