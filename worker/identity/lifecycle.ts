import type { AppError, AppErrorKind } from '../kit/errors.ts'
import type { Permissions } from '../kit/permissions.ts'
import type { Condition, Statement } from '../platform/statements.ts'
import type { Caller, Claim } from './caller.ts'
import type { EventRows, EventType, InvitationFacts, MemberFacts, OrganizationFacts } from './events/events.ts'
import type { Session } from './sessions/sessions.table.ts'
import type { NewUser, User } from './users/users.table.ts'

type Eventually<T> = T | Promise<T>

/** By what a person came, for hooks that care and for the log. A feature that adds a way to sign in adds its name. */
export type SignInMethod =
  | 'email'
  | 'username'
  | 'phone-number'
  | 'sign-up'
  | 'email-verification'
  | 'magic-link'
  | 'email-otp'
  | 'phone-otp'
  | 'anonymous'
  | 'social'
  | 'passkey'
  | 'one-time-token'
  | 'impersonation'
  | 'second-factor'
  | 'rotation'

/**
 * What a person has proven. The second factor is asked after it unless the two-factor feature says why not.
 * - `password`: they know the password
 * - `possession`: they read a mailbox or a telephone
 * - `key`: they hold a key that did not verify its user
 * - `provider`: a provider vouches for them
 * - `both-factors`: they hold a key that verified its user (WebAuthn's user verification)
 * - `creation`: the account came into being with this request
 * - `second-factor`: the second factor itself, after the first
 * - `session`: a live session, whose token is replaced
 * - `delegated`: a session of theirs, or an administrator's right, was handed over
 */
export type Proof =
  | 'password'
  | 'possession'
  | 'key'
  | 'provider'
  | 'both-factors'
  | 'creation'
  | 'second-factor'
  | 'session'
  | 'delegated'

/** A person who is proven, before a session exists. */
export interface SignInAttempt {
  user: User
  method: SignInMethod
  proven: Proof
  rememberMe: boolean
  /** What the session's token will be. */
  token: string
  /** Statements to be written in the session's batch; a step may add to them. A challenge writes none of those. */
  alongside: Statement[]
  /** What to do once the session is written; a step may add to it. */
  written: (() => void)[]
}

/** What a feature answers instead of a session, such as the question for a second factor. */
export interface Challenge {
  kind: string
  /** The body of the answer. */
  answer: Record<string, unknown>
}

/** A session that has just been written. */
export interface IssuedSession {
  session: Session
  user: User
  method: SignInMethod
  proven: Proof
  rememberMe: boolean
  /** The session whose place this one takes, when a token was rotated. */
  replaced: Session | null
  /** Whether the answer sets cookies: it does not for a bearer caller whose token was rotated. */
  inCookies: boolean
  /** Whoever was signed in on this browser before; asked only by who needs it, for it costs a read. */
  previous(): Promise<Caller | null>
}

/** A user about to be written. */
export interface UserChange<T> {
  values: T
  /** The body it came from, for features with fields of their own. */
  input: Readonly<Record<string, unknown>>
  /** Statements to be written in the same batch; a step may add to them. Users that are updated have none. */
  alongside: Statement[]
}

/** What get-session is about to answer; from the cookie cache, or read. */
export interface SessionRead {
  session: Shown & { token: string; userId: string }
  user: Shown & { id: string }
}

/** Dates are ISO texts where they come from the cookie cache. */
type Shown = Readonly<Record<string, unknown>>

/** What the deletion of a person also has to do, and what must hold for it. */
export interface DeletionTerms {
  /** A condition that the deleting statement itself has to hold. */
  condition?: Condition | undefined
  /** Written before the user is deleted, in the same batch. */
  statements?: Statement[] | undefined
  /** Reacts once the user is deleted. @param results of the statements */
  deleted?(results: readonly unknown[]): Eventually<void>
}

/** Something that has been done to a member of an organization. */
export interface Membership {
  organization: OrganizationFacts
  member: MemberFacts
}

/** How a feature takes away the ways in that it keeps for a user. */
export interface EndedAccess {
  /** Columns of the user, as they will be. */
  columns?: Partial<User>
  statements?: Statement[]
}

/** Does the work of a row of `tasks` (identity/tasks/). It may be called twice for one row. */
export type TaskHandler<Scope> = (scope: Scope, payload: never) => Promise<void>

/**
 * The places where a feature may step into another's path. worker/features.ts fills them, in order; a feature that is
 * off is not in it. Names in the -ing form may amend or refuse (by throwing), names in the past tense only react.
 */
export interface LifecycleOf<Scope> {
  /** A request has passed the limits, and nothing is read yet: may refuse it, by its path and headers. */
  guarding: ((scope: Scope) => Eventually<void>)[]
  /** Tells what a request says about who is calling, reading nothing; the first claim that is true wins. */
  identifying: ((scope: Scope) => Claim | null)[]
  /** A password is chosen: at sign-up, change, set or reset. May refuse it. */
  choosingPassword: ((scope: Scope, password: string) => Eventually<void>)[]
  /** Returns the values to write. */
  creatingUser: ((scope: Scope, change: UserChange<NewUser>) => Eventually<NewUser>)[]
  /** Returns the changes to write. Asked about what a person is called and reached by; see also `askToChange`. */
  updatingUser: ((scope: Scope, user: User, change: UserChange<Partial<NewUser>>) => Eventually<Partial<NewUser>>)[]
  /** May refuse to let a person go, or say on what terms. */
  deletingUser: ((scope: Scope, user: User) => Eventually<DeletionTerms | undefined>)[]
  userCreated: ((scope: Scope, user: User) => Eventually<void>)[]
  userUpdated: ((scope: Scope, user: User) => Eventually<void>)[]
  userDeleted: ((scope: Scope, user: User) => Eventually<void>)[]
  /** A proven person is about to get a session: may refuse by throwing, or answer with a challenge instead. */
  signingIn: ((scope: Scope, attempt: SignInAttempt) => Eventually<Challenge | null>)[]
  sessionIssued: ((scope: Scope, issued: IssuedSession) => Eventually<void>)[]
  /** An answer carries a session's token, by its cookie or to a bearer caller: signed, as the cookie has it. */
  tokenSent: ((scope: Scope, signedToken: string) => void)[]
  /** get-session has an answer, which may have come from the cookie cache at no cost: a step must cost none either. */
  sessionRead: ((scope: Scope, read: SessionRead) => Eventually<void>)[]
  /** A person signs out of this browser: the tokens of other sessions there that end with theirs, in one batch. */
  signingOut: ((scope: Scope) => readonly string[])[]
  /** @param ended the sessions that have ended; none when they had ended before */
  signedOut: ((scope: Scope, ended: readonly Session[]) => Eventually<void>)[]
  /** Somebody who had forgotten their password has another one, or an administrator has given them one. */
  passwordReset: ((scope: Scope, user: User) => Eventually<void>)[]
  organizationCreated: ((scope: Scope, organization: OrganizationFacts) => Eventually<void>)[]
  organizationUpdated: ((scope: Scope, organization: OrganizationFacts) => Eventually<void>)[]
  organizationDeleted: ((scope: Scope, organization: OrganizationFacts) => Eventually<void>)[]
  /** By an invitation, by a server, or because they have created the organization. */
  memberAdded: ((scope: Scope, added: Membership) => Eventually<void>)[]
  /** They left, were removed, or they or the organization are deleted. */
  memberRemoved: ((scope: Scope, removed: Membership) => Eventually<void>)[]
  /** @param changed with the new roles */
  roleChanged: ((scope: Scope, changed: Membership) => Eventually<void>)[]
  invitationCreated: ((scope: Scope, invitation: InvitationFacts) => Eventually<void>)[]
  invitationAccepted: ((scope: Scope, accepted: Membership & { invitation: InvitationFacts }) => Eventually<void>)[]
  /** Events are being written: statements that write down what is to be told of them, for the same batch (events/record.ts). */
  recording: ((scope: Scope, type: EventType, rows: () => EventRows) => Statement[])[]
  /**
   * An account passes to whoever has proven its address: statements that remove the ways in which the feature keeps
   * for the user (keys, passkeys, numbers), each under the condition `when`. They run in one batch
   * (users/prove-address.ts).
   */
  endingAccess: ((scope: Scope, userId: string, when: Condition) => EndedAccess)[]
  /** Whether the caller may do something as an administrator; none, and nobody may. */
  administering: ((scope: Scope, caller: Caller, wanted: Permissions) => Eventually<boolean>)[]
  /** Whether the caller acts for an organization: buys for it, and sees what it has; none, and nobody does. */
  managing: ((scope: Scope, caller: Caller, organizationId: string) => Eventually<boolean>)[]
  /** What opens an account besides a password, a provider and a passkey. */
  waysIn: readonly WayIn[]
  /** Each holds while a feature keeps a way in of its own for a user. */
  keptWaysIn: ((scope: Scope, userId: string) => Condition)[]
  /** What a person is called by besides their address, where they sign in: `username:ada`. */
  namesOf(user: User): string[]
  /** What it means that a column of the users' table (`users.username`) holds a value already. */
  takenValues: Readonly<Record<string, TakenValue>>
  /** Columns of the user and the session that answers show besides the core's, in order. */
  shownUserFields: (keyof User)[]
  shownSessionFields: (keyof Session)[]
  /** What the hosted screens are told about a feature, by GET /config. */
  publicFeatures: ((scope: Scope) => Record<string, unknown>)[]
  /** What administrators are shown of a person besides the core's: statements whose rows are told as they are, by name. */
  aboutUser: Readonly<Record<string, (scope: Scope, userId: string) => Statement>>
  /** The handlers of put-off work, by kind. */
  tasks: Readonly<Record<string, TaskHandler<Scope>>>
}

/** A proven address or number: whoever reads a mailbox or a telephone can sign in. */
export type WayIn = 'mailbox' | 'phone'

/** An error for a value that somebody else has; at sign-up it may have to be another one than later. */
export interface TakenValue {
  updating: AppErrorKind
  creating?: () => AppError
}
