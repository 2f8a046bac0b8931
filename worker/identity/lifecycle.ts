import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Caller } from './caller.ts'
import type { PresentedSession } from './sessions/present-session.ts'
import type { Session } from './sessions/sessions.table.ts'
import type { PresentedUser } from './users/present-user.ts'
import type { NewUser, User } from './users/users.table.ts'

type Eventually<T> = T | Promise<T>

/** A condition of a statement, for features, which do not speak SQL outside of their stores. */
export type Condition = SQL

/** How a person proved who they are. */
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
  | 'second-factor'

/** A person who is proven, before a session exists. */
export interface SignInAttempt {
  user: User
  method: SignInMethod
  rememberMe: boolean
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
  rememberMe: boolean
  /** The session cookie's signed value as sent. */
  signedToken: string
  /** Whoever was signed in on this browser before; asked only by who needs it, for it costs a read. */
  previous(): Promise<Caller | null>
}

/** A user about to be written. `input` is the body it came from, for features with fields of their own. */
export interface UserChange<T> {
  values: T
  input: Readonly<Record<string, unknown>>
}

/** What get-session is about to answer; from the cookie cache, or read. */
export interface SessionRead {
  session: PresentedSession
  user: PresentedUser
}

/**
 * The places where a feature may step into another's path. worker/features.ts fills them, in order; a feature that is
 * off is not in it. Names in the -ing form may amend or refuse (by throwing), names in the past tense only react.
 */
export interface LifecycleOf<Scope> {
  /** Tells who is calling; the first answer wins. */
  identifying: ((scope: Scope) => Eventually<Caller | null>)[]
  /** A password is chosen: at sign-up, change, set or reset. May refuse it. */
  choosingPassword: ((scope: Scope, password: string) => Eventually<void>)[]
  /** Returns the values to write. */
  creatingUser: ((scope: Scope, change: UserChange<NewUser>) => Eventually<NewUser>)[]
  /** Returns the changes to write. */
  updatingUser: ((scope: Scope, user: User, change: UserChange<Partial<NewUser>>) => Eventually<Partial<NewUser>>)[]
  /** May refuse to let a person go, or give a condition that the deleting statement itself has to hold. */
  deletingUser: ((scope: Scope, user: User) => Eventually<SQL | undefined>)[]
  userCreated: ((scope: Scope, user: User) => Eventually<void>)[]
  userUpdated: ((scope: Scope, user: User) => Eventually<void>)[]
  userDeleted: ((scope: Scope, user: User) => Eventually<void>)[]
  /** A proven person is about to get a session: may refuse by throwing, or answer with a challenge instead. */
  signingIn: ((scope: Scope, attempt: SignInAttempt) => Eventually<Challenge | null>)[]
  sessionIssued: ((scope: Scope, issued: IssuedSession) => Eventually<void>)[]
  /** get-session has an answer, which may have come from the cookie cache at no cost: a step must cost none either. */
  sessionRead: ((scope: Scope, read: SessionRead) => Eventually<void>)[]
  signedOut: ((scope: Scope) => Eventually<void>)[]
  /**
   * An account passes to whoever has proven its address: statements that remove the ways in which the feature keeps
   * for the user (keys, passkeys), each under the condition `when`. They run in one batch (users/prove-address.ts).
   */
  endingAccess: ((scope: Scope, userId: string, when: Condition) => BatchItem<'sqlite'>[])[]
  /** Columns of the user and the session that answers show besides the core's, in order. */
  shownUserFields: (keyof User)[]
  shownSessionFields: (keyof Session)[]
  /** What the hosted screens are told about a feature, by GET /config. */
  publicFeatures: ((scope: Scope) => Record<string, unknown>)[]
}
