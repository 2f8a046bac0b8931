import type { SQL, SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { AppError, AppErrorKind } from '../kit/errors.ts'
import type { Permissions } from '../kit/permissions.ts'
import type { ServerPermission } from '../kit/server-permissions.ts'
import type { Condition, Expression, Statement } from '../platform/statements.ts'
import type { Caller, CallerKey, Claim } from './caller.ts'
import type { ClaimScope } from './model/claim-scopes.ts'
import type { EventRows, EventType, FactsOf } from './model/events.ts'
import type { JobKind } from './model/job-kind.ts'
import type { FactorMethod, SessionMethod, SignInMethod } from './model/method.ts'
import type { RiskDecision, RiskSignal } from './model/risk.ts'
import type { SecurityEventType } from './model/security-event-types.ts'
import type { DeviceKey, Session } from './model/sessions.table.ts'
import type { NewUser, User } from './model/users.table.ts'
import type { Work } from './work.ts'

export type { SessionMethod, SignInMethod }

type Eventually<T> = T | Promise<T>

/**
 * The proof of a user. A sign-in requires the second factor after it, unless the two-factor feature lists an exception.
 * - `password`: the user knows the password
 * - `possession`: the user has access to a mailbox or a phone
 * - `key`: the user has a key that did not verify its user
 * - `provider`: a provider has authenticated the user
 * - `both-factors`: the user has a key that verified its user (WebAuthn's user verification)
 * - `creation`: this request has created the account
 * - `second-factor`: the second factor, after the first
 * - `session`: an active session, whose token is replaced
 * - `delegated`: a transferred session, or the permission of an administrator
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
/** An authenticated user, before a session exists. */
export interface SignInAttempt {
  user: User
  method: SignInMethod
  shownMethod: SessionMethod
  proven: Proof
  rememberMe: boolean
  token: string
  /** The session at the identity provider; null for other ways in. */
  upstream: Session['upstream']
  /** Adds to the batch of the session. A challenge calls none of them. */
  writes: ((work: Work) => void)[]
  /** Set by an earlier step: the second factor follows each proof without one; `each-time`: on trusted devices, too. */
  requiresSecondFactor?: true | 'each-time'
  /** Set by earlier steps: a password in an unknown browser leads to a challenge; a passkey is its second factor; the key of a token. */
  challengesUnknownDevice?: boolean
  passkeyIsSecondFactor?: true
  deviceKey?: DeviceKey
  /** The verified password, for its assessment only: never stored, and never passed to the product. */
  password?: string | undefined
  /** The assessment of the sign-in. With `challenge`, a factor is required that needs no enrolment. */
  risk?: RiskDecision | undefined
}

/** What a guard knows about an endpoint. */
export interface GuardedCall {
  /** The call needs no session, and changes something. */
  byVisitor: boolean
}

/** The response of a feature in place of a session, such as a request for a second factor, and its lifetime (s). */
export interface Challenge {
  kind: string
  answer: Record<string, unknown>
  lifetime: number
}

/** A new session. */
export interface IssuedSession {
  session: Session
  user: User
  method: SignInMethod
  proven: Proof
  rememberMe: boolean
  /** The session that this one replaces, after a rotation of the token. */
  replaced: Session | null
  /** Of the passkey that has signed in; null for other methods. */
  credentialId: string | null
  /** Whether the response sets cookies. It does not for a bearer caller whose token was rotated. */
  inCookies: boolean
  /** Returns the caller who was signed in on this browser before. It costs a read, so call it only if needed. */
  previous(): Promise<Caller | null>
}

/** A user before the insertion. */
export interface UserChange<T> {
  values: T
  /** The request body, for features with their own fields. */
  input: Readonly<Record<string, unknown>>
  /** Adds to the batch after the user's row. An update has none: its steps only amend or reject. */
  writes: T extends { email: string } ? ((work: Work) => void)[] : null
}

/** The result of get-session, from the cookie cache or from the database. */
export interface SessionRead {
  session: Shown & { token: string; userId: string }
  user: Shown & { id: string }
  /** The API key that opened the session; never part of the response. */
  key?: CallerKey | undefined
}

/** The same with the JSON of session and user, for steps that compare it. */
export interface SessionReadWithText extends SessionRead {
  text: string
}

/** Dates from the cookie cache are ISO strings. */
type Shown = Readonly<Record<string, unknown>>

/** The input of a step-up. `response` is the WebAuthn assertion, which the passkey feature reads. */
export type StepUpInput =
  | { method: 'password'; password: string }
  | { method: Exclude<FactorMethod, 'password' | 'passkey'>; code: string }
  | { method: 'passkey'; response: unknown }

/** A factor that a feature contributes to step-ups. */
export interface StepUpFactorOf<Scope> {
  method: FactorMethod
  /** Users with a second factor authenticate by `second` and `both`, all others by `first` and `both`. */
  factor: 'first' | 'second' | 'both'
  /** Whether users who have it authenticate by second factors. */
  isSecondFactor?(scope: Scope): boolean
  /** Whether the configuration and the user's row allow it. Default: yes. */
  isOffered?(scope: Scope, user: User): boolean
  /** Holds while the user has it. Default: all users have it. */
  has?(userId: string | SQL): Condition
  /** Sends the code, for methods with one. */
  send?(scope: Scope, caller: Caller): Promise<void>
  /** Verifies the input, counts it against the budget of guesses, and calls completeStepUp. */
  verify(scope: Scope, caller: Caller, input: never): Promise<{ authenticatedAt: Date; amr: string[] }>
}

/** Reactions to events, after the commit (see `announce` of work.ts). */
export type ReactionsOf<Scope> = { readonly [E in EventType]?: (scope: Scope, facts: FactsOf[E]) => Eventually<void> }

/** A session, key or token of a user, by columns or values: the sign-in from which it comes. */
export interface Credential {
  userId: SQLWrapper
  /** Null: unknown. */
  method: SQLWrapper
  /** JSON. */
  amr: SQLWrapper
}

/** How a feature deletes its sign-in methods of a user. */
export interface EndedAccess {
  /** The new values of the user's columns. */
  columns?: Partial<User>
  statements?: Statement[]
}

/**
 * The places where features add steps to the paths of others, in the order of the table in worker/features.ts; a feature
 * that is off adds none. Names in the -ing form may amend or refuse (by throwing), names in the past tense only react.
 */
interface PlacesOf<Scope> {
  /** A request has passed the limits, before any read: may reject it by its path and headers. */
  guarding: ((scope: Scope, call: GuardedCall) => Eventually<void>)[]
  /** Returns the claim of a request about its caller, without a read. The first claim wins. */
  identifying: ((scope: Scope) => Claim | null)[]
  /** A user sets a password: at sign-up, change, set or reset. May reject it. */
  choosingPassword: ((scope: Scope, password: string) => Eventually<void>)[]
  /** Returns the values to write. */
  creatingUser: ((scope: Scope, change: UserChange<NewUser>) => Eventually<NewUser>)[]
  /** Returns the changes to write. Also called for changes of identifiers and addresses; see also `askToChange`. */
  updatingUser: ((scope: Scope, user: User, change: UserChange<Partial<NewUser>>) => Eventually<Partial<NewUser>>)[]
  /** May reject the deletion or add to its unit of work, before the user's row is deleted. */
  deletingUser: ((scope: Scope, user: User, work: Work) => Eventually<void>)[]
  /** An authenticated user, before the session is created: may reject by throwing, or return a challenge. */
  signingIn: ((scope: Scope, attempt: SignInAttempt) => Eventually<Challenge | null>)[]
  /** A wrong password: of a sign-in (also to no account), a step-up, or a change that asks for it. */
  passwordRefused: ((scope: Scope, password: string) => void)[]
  /** A sign-in with a password is being assessed: returns a further reason, or null. */
  assessing: ((scope: Scope, attempt: SignInAttempt, risk: RiskDecision) => Eventually<RiskSignal | null>)[]
  sessionIssued: ((scope: Scope, issued: IssuedSession) => Eventually<void>)[]
  /** A response contains a session's token, in its cookie or for a bearer caller: signed, as in the cookie. */
  tokenSent: ((scope: Scope, signedToken: string) => void)[]
  /** The key of a device-bound session was proved for the first time, or its cookie is a copy (sessions/device-key.ts). */
  keyChecked: ((scope: Scope, found: { session: Session; user: User }, outcome: 'proved' | 'copied') => void)[]
  /** get-session has a result, possibly from the cookie cache without I/O: a step must not use I/O either. */
  sessionRead: ((scope: Scope, read: SessionReadWithText) => Eventually<void>)[]
  /** A user signs out of this browser: returns the tokens of other sessions that end in the same batch. */
  signingOut: ((scope: Scope) => readonly string[])[]
  /** @param ended the sessions that have ended; empty if they had ended before */
  signedOut: ((scope: Scope, ended: readonly Session[]) => Eventually<void>)[]
  /** A use case announces an event: returns statements that record it in the batch. */
  recording: ((scope: Scope, type: EventType, rows: () => EventRows) => Statement[])[]
  /** Reactions to events after the commit. The product's hooks come last. */
  reactions: readonly ReactionsOf<Scope>[]
}

/** What a feature does at the places. */
export type StepsOf<Scope> = { readonly [P in keyof PlacesOf<Scope>]?: PlacesOf<Scope>[P][number] }

/** A place, or the name of a contribution. */
export type Use = keyof PlacesOf<unknown> | keyof ContributionOf<unknown>

export interface LifecycleOf<Scope> extends PlacesOf<Scope> {
  /** Returns the contributions of features under a name, in their order: of the enabled ones, or of all. */
  registry: <K extends keyof ContributionOf<Scope>>(name: K, of?: 'all') => NonNullable<ContributionOf<Scope>[K]>[]
}

/** Sources by directive: `script` for script-src. */
export type ContentSources = {
  readonly [D in 'script' | 'style' | 'connect' | 'frame' | 'img' | 'font']?: readonly string[]
}

/**
 * The contributions of a feature to other code by data and functions, in addition to its lifecycle steps. All members of a
 * group are in the same file of the feature.
 */
export interface ContributionOf<Scope> {
  /** Its part of GET /config: PublicConfiguration of its contract. */
  publicConfiguration?(scope: Scope): object
  /** Origins from which its screens load scripts and other content (Content Security Policy of the app's pages). */
  contentSources?(scope: Scope): ContentSources
  /** Headers that scripts of trusted origins may send and read, in addition to those of all endpoints (CORS). */
  corsHeaders?(scope: { options: Readonly<Record<string, unknown>> }): {
    request?: readonly string[]
    response?: readonly string[]
  }
  /** Columns of the user and the session that responses show, in order. */
  shows?: {
    user?: readonly (keyof User)[]
    session?: readonly (keyof Session)[]
    /** Columns without a value are left out, because earlier clients do not know them. */
    sessionWhenSet?: readonly (keyof Session)[]
  }
  /**
   * How long (s) what it issues is believed after the end of a session by those who do not know the feed of ended
   * sessions: by isolates of the deployment (`here`), and by other servers (`elsewhere`).
   */
  outlivesSession?(scope: { options: Readonly<Record<string, unknown>> }): { here?: number; elsewhere?: number }
  /** What the row of a user says. Reads ask for it, so that it is in the descriptor. */
  userFacts?: {
    /** The verified number, for notices to users without a verified address. */
    number?(user: User): string | null
    /** Whether the user has a second factor that sign-ins require. */
    hasSecondFactor?(user: User): boolean
  }
  /** Its columns of the user. */
  userFields?: {
    /**
     * Identifiers other than the address, for a sign-in: `username:ada`. Wrong guesses are counted by them, and a browser
     * stores them (sessions/known-device.ts).
     */
    names?(user: User): string[]
    /** The security event of a change. */
    changeEvent?(user: User, changes: Partial<NewUser>): SecurityEventType | null
    /** The errors of unique columns, by column: `users.username`. */
    taken?: Readonly<Record<string, TakenValue>>
  }
  /** Its ways to sign in and to authenticate again. */
  wayIn?: {
    /** Factors with which a caller authenticates again inside a session (sign-in/step-up.ts). */
    stepUp?: readonly StepUpFactorOf<Scope>[]
    /** Whether it can redirect a caller to a provider for a step-up. */
    stepUpProvider?(scope: Scope, providerId: string): boolean
    /** The time of the last sign-in of a user as a subquery, for lists of users. */
    lastUse?(userId: SQLWrapper): SQL
  }
  /**
   * Columns of a new session whose values its INSERT computes; a rotation keeps those of the replaced session. Only for
   * the active organization, which the core does not know.
   */
  startsSession?(scope: Scope, user: User): Readonly<Partial<Record<keyof Session, Expression>>>
  /** What it adds to the identity provider, which does not import it. */
  oauth?: {
    /**
     * Claims about a user by scope, for applications that sign the user in. The identity provider asks for those that
     * `identityProvider.claimScopes` permits and the application requested.
     */
    claims?: Readonly<
      Partial<Record<ClaimScope, (scope: Scope, user: User) => Eventually<Readonly<Record<string, unknown>>>>>
    >
    /** Grants of the token endpoint, by `grant_type`. */
    grants?: Readonly<
      Record<
        string,
        (
          scope: Scope,
          given: Readonly<Record<string, string | undefined>>,
          authorization: string | null,
        ) => Promise<object>
      >
    >
  }
  /**
   * The organizations (`holds`) that may have up to `max` members, where the limit of the configuration is a lower number.
   * Only for directories, which the organization feature does not import.
   */
  raisedMemberLimit?(scope: Scope, organizationId: string): { holds: Condition; max: number }
  /**
   * Lists of the feature's data about a user, for administrators: statements by name, whose rows are shown unchanged.
   */
  aboutUser?: Readonly<Record<string, (scope: Scope, userId: string) => Statement>>
  /** Handlers of its jobs, by kind (jobs/). */
  jobs?: Readonly<Record<string, JobKind<Scope>>>
  /** The keys of servers outside of Cloudflare, for operations (http/operations.ts), which http/ does not import. */
  serverKeys?: ServerKeysOf<Scope>
  /** Its work for the cron triggers. */
  cron?: {
    /** Before any job: deletes expired rows. */
    scheduled?(scope: Scope): Promise<unknown>
    /** Each minute, after the audit log was sealed. */
    eachMinute?(scope: Scope): Promise<unknown>
  }
  /** Its decisions about who may do what. If no feature says yes, the answer is no. */
  permissions?: {
    /** Whether a user may do something as an administrator. */
    administers?(scope: Scope, user: User, wanted: Permissions): boolean
    /** Holds for the row of a user who is an administrator, or becomes one by the proof of the address; of a `list` by indexes. */
    administratorRows?(scope: Scope, of: 'row' | 'list'): Condition
    /** Whether the proof of an address makes its user an administrator. */
    appointsAdministrator?(scope: Scope, email: string): boolean
    /** Whether a user may do something as a member of an organization. */
    actsFor?(scope: Scope, userId: string, organizationId: string, wanted: Permissions): Promise<boolean>
  }
  /** How it ends access that it gave: for batches of others, also for a disabled feature. */
  revokes?: {
    /**
     * An account passes to the user who verifies its address: deletes the earlier owner's sign-in methods (keys, passkeys,
     * numbers), each with the condition `when`, in one batch (accounts/prove-address.ts).
     */
    access?(scope: Scope, userId: string, when: Condition): EndedAccess
    /** A user revokes all sessions: revokes the access of applications. */
    applications?(scope: Scope, userId: string): Statement[]
    /** A directory deactivates a user: deletes the user's keys. */
    keys?(scope: Scope, userId: string): Statement[]
    /**
     * A rule of an organization changes, after its write: ends its tokens that meet a condition, and forgets what isolates
     * remember about its keys.
     */
    credentials?(scope: Scope, which: (credential: Credential) => Condition): Statement[]
  }
  /** Conditions under which a deletion must not happen. */
  keeps?: {
    /** Holds while it lets a user sign in: by a passkey, a verified address (accounts/ways-in.ts). */
    wayIn?(scope: Scope, userId: string | Expression): Condition
    /** Holds while a guest must not be deleted: a purchase, or a key in use after `since`. */
    guest?(scope: Scope, userId: Expression, since: Date): Condition
  }
  /** Holds while a rule of an organization does not allow a credential: a session, key or token of a user. */
  forbids?(scope: Scope, credential: Credential): Condition
  /** What other code does with its rows, also for a disabled feature. */
  stored?: {
    /** Columns with sealed values (kit/encrypt.ts). A rotation of the secret seals them again. */
    sealed?: readonly SealedColumn[]
    /** Rows of a restored database that end (recovery/). */
    restored?: readonly RestoredRows[]
  }
}

export interface ServerKeysOf<Scope> {
  /** Verifies the key of a request and sets `scope.auditing.serverKey`. @throws the refusal */
  require(scope: Scope, permission: ServerPermission): Promise<void>
  /**
   * Runs a write of the verified key, once for each Idempotency-Key of the request.
   * @param input the validated input
   */
  once(scope: Scope, operation: string, input: unknown, run: () => Promise<Response>): Promise<Response>
}

/** The error for a value that another user has; the error at sign-up may differ from the later one. */
export interface TakenValue {
  updating: AppErrorKind
  creating?: () => AppError
}

/** A column whose values are sealed: each a text, or a JSON list of texts. */
export interface SealedColumn {
  table: SQLiteTable
  column: SQLiteColumn
  /** Rows per run, for columns with large values. */
  batchSize?: number
}

/** What a recovery does with the rows of a table that an earlier state of the database has brought back. */
export interface RestoredRows {
  table: SQLiteTable
  /** New values by property; without them the rows are deleted. */
  set?: Readonly<Record<string, unknown>>
  /** Only these rows. */
  where?: Condition
  /** What an option of the command keeps. */
  kind?: 'keys' | 'passwords'
}
