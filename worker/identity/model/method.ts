/**
 * The sign-in methods, each with one id in sessions, the logs, statistics, hooks, step-ups and the app (decision 287). A
 * feature that adds a method adds its id; the compiler then lists all places that need a row.
 */
export type SignInMethod =
  // A password, with each kind of identifier.
  | 'email'
  | 'username'
  | 'phone-number'
  | 'sign-up'
  // A link or a code.
  | 'email-verification'
  | 'magic-link'
  | 'email-otp'
  | 'phone-otp'
  | 'anonymous'
  | 'passkey'
  | 'cloudflare-access'
  | 'impersonation'
  // A provider of the configuration, a connection of an organization: sessions name which one.
  | 'social'
  | 'sso'
  // A new token for a session, which keeps its method.
  | 'rotation'

/** The id of a provider of the registry or the configuration, or of a connection, which the compiler does not know. */
export type ProviderId = string & {}

/** The methods that sessions name by their own id. The app has a name for each of them. */
export type OwnSessionMethod = Exclude<SignInMethod, 'social' | 'sso' | 'rotation'>

/** `method` of a session: the method of the first factor, or the id of the provider or connection. */
export type SessionMethod = OwnSessionMethod | ProviderId

/** The method of a session after a sign-in at a provider. */
export const methodAtProvider = (id: string): SessionMethod => id

/**
 * What confirms a change inside a session, or is guessed at in a sign-in: sign-in methods under their id, and what never
 * signs in alone. `password` is the one of all methods with a password.
 */
export type FactorMethod =
  | Extract<SignInMethod, 'passkey' | 'email-otp' | 'phone-otp'>
  | 'password'
  | 'totp'
  | 'backup-code'

/** `method` of an event of the sign-in log. */
export type EventMethod = SessionMethod | FactorMethod
