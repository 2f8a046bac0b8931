import type {
  AccountTypes,
  AnyAccounts,
  OrganizationPermissionsOf,
  PermissionsOf,
  RoleOf,
  SessionFieldsOf,
  UserFieldsOf,
} from '../../../worker/kit/account-types.ts'
import type { ShownFields } from '../../../worker/kit/field-types.ts'
import type { Roles } from '../../../worker/kit/permissions.ts'
import type { SessionFacts, UserFacts } from '../../../worker/kit/presented.ts'

/** The user of a request. Fields of features are absent where a feature is off. */
export interface KnownUser extends UserFacts {
  /** Roles of the deployment (`admin.roles`), separated by commas. */
  role?: string | null
  username?: string | null
  displayUsername?: string | null
  phoneNumber?: string | null
  phoneNumberVerified?: boolean | null
  twoFactorEnabled?: boolean | null
  isAnonymous?: boolean | null
  /** Required fields of the configuration that the user has not entered. */
  missingFields?: string[]
}

/** The session of a request. */
export interface KnownSession extends SessionFacts {
  activeOrganizationId?: string | null
  activeTeamId?: string | null
  /** The administrator who acts as the user. */
  impersonatedBy?: string | null
}

/** The user with the fields of the product. @template P the product: `Accounts`, the type that its deployment exports */
export type UserOf<P extends AccountTypes = AnyAccounts> = KnownUser & ShownFields<UserFieldsOf<P>>
/** The session with the fields of the product. @template P the product: `Accounts`, the type that its deployment exports */
export type SessionOf<P extends AccountTypes = AnyAccounts> = KnownSession & ShownFields<SessionFieldsOf<P>>

/** What identified the caller. `jwt` and `session-data` were verified here, the others by Gatehouse. */
export type Via = 'jwt' | 'session-data' | 'binding' | 'server-key' | 'cookie'

export interface CallerPermissions<P extends AccountTypes = AnyAccounts> {
  /** The user's roles in the deployment. */
  roles: readonly RoleOf<P>[]
  /**
   * Whether the user may do everything in `wanted`; false for an empty one. Without `organization` the user's roles in
   * the deployment decide, with it those of the membership: in the active organization (`active`) or in one by its id.
   * @throws GatehouseUnavailable
   */
  has(wanted: PermissionsOf<P> | OrganizationPermissionsOf<P>, options?: { organization?: string }): Promise<boolean>
}

/** A signed-in caller. */
export interface Caller<P extends AccountTypes = AnyAccounts> {
  user: UserOf<P>
  /** null for a JWT, which identifies a user and no session. */
  session: SessionOf<P> | null
  permissions: CallerPermissions<P>
  via: Via
}

/** The caller of a request, and the cookies for its response. */
export interface Checked<P extends AccountTypes = AnyAccounts> {
  caller: Caller<P> | null
  /** Set-Cookie lines: an extended session, the session data, or the removal of an ended session. */
  setCookies: string[]
}

export interface CheckOptions {
  /**
   * Reads the current state from Gatehouse's database: for payments, deletions and other changes that an ended session
   * must not make. A JWT is then rejected. @default false
   */
  fresh?: boolean
}

/** Who may pass. All given conditions must hold. */
export interface Rule<P extends AccountTypes = AnyAccounts> extends CheckOptions {
  /** A role of the deployment, or several of which one is enough. */
  role?: RoleOf<P> | readonly RoleOf<P>[]
  /** Permissions that the user needs. */
  permissions?: PermissionsOf<P> | OrganizationPermissionsOf<P>
  /** Decides `permissions` by the membership in the active organization (`active`) or in one by its id. */
  organization?: string
  /**
   * What a visitor gets: a redirect to the sign-in page, or status 401.
   * @default a redirect for a page that a browser opens, 401 for other requests
   */
  visitors?: 'redirect' | 'status'
  /** The path to return to after the sign-in. @default the requested path; the referring page for other methods than GET */
  returnTo?: string
}

/** The result of a rule: the caller and the cookies of the response, or the response instead. */
export type Guarded<P extends AccountTypes = AnyAccounts> =
  | { allowed: true; caller: Caller<P>; setCookies: string[] }
  | { allowed: false; response: Response }

/** The parts of a request that are read. */
export interface RequestLike {
  /** Absolute. */
  url: string
  method: string
  headers: Headers
}

export interface AuthenticatorOptions {
  /** The address of Gatehouse (its `BASE_URL`), such as `https://accounts.example.com`. */
  url: string
  /**
   * The origin of the product, for return addresses. Set it behind a proxy that ends TLS or changes the Host header.
   * @default the origin of the request
   */
  origin?: string
  /** The service binding with `entrypoint = "ServerApi"`. It is asked first. */
  binding?: object
  /** A server key (`gh_sk_...`) with `sessions:read`, and `users:read` for permissions. Without it, the caller's cookie is forwarded. */
  serverKey?: string
  /** For requests to Gatehouse, such as the `fetch` of a service binding. @default the global function */
  fetch?: typeof fetch
  /** Milliseconds for one request to Gatehouse. @default 5000 */
  timeout?: number
  /**
   * Accepts the tokens of `GET /api/auth/token` as `Authorization: Bearer`, verified with the published keys. A token
   * lives for 15 minutes, and is refused within 5 seconds after the end of its session (see `endedSessions`).
   * @default issuer and audience: `url`; algorithm: EdDSA. false accepts none
   */
  jwt?: false | { issuer?: string; audience?: string; algorithm?: string }
  /**
   * The key of the session data cookie (`sessionDataKey`), or several during a rotation: the cookie is then verified
   * here, without a request, and refused within 5 seconds after the end of its session (see `endedSessions`). With this key a server can name any user to the deployment's get-session:
   * give it only to servers that you trust like Gatehouse itself.
   */
  sessionDataKey?: string | readonly string[]
  /**
   * Whether JWTs and session data cookies are judged by the deployment's list of ended sessions, which is read every 1
   * to 4 seconds while there are such callers. If it does not answer for 30 seconds, the deployment is asked about each
   * caller. false: they are believed until they expire. @default true
   */
  endedSessions?: boolean
  /** Keeps a Worker alive for the reading of that list after a response: `waitUntil` of `cloudflare:workers`. @default none, the next request waits for it */
  waitUntil?: (work: Promise<unknown>) => void
  /** `cookies.prefix` of the configuration. @default 'gatehouse' */
  cookiePrefix?: string
  /** `admin.roles` with `admin` and `user`: permissions by roles of the deployment are then decided here. */
  roles?: Roles
  /**
   * Seconds after which a session of a cookie is extended, as `session.updateAge`: its cookie is then forwarded to
   * Gatehouse once, because neither the binding nor a server key can extend it. null: never. @default 86400
   */
  refreshAfter?: number | null
}
