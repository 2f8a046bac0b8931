/** The sign-in methods. A feature that adds a method adds its name; the compiler then lists all places to change. */
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
  | 'cloudflare-access'
  | 'one-time-token'
  | 'impersonation'
  | 'second-factor'
  | 'rotation'

/** The id of a provider of the registry or the configuration, which the compiler does not know. */
export type ProviderId = string & {}

/** The methods that create sessions, without those of providers. The app names each of them. */
export type OwnSessionMethod = Exclude<SignInMethod, 'social' | 'second-factor' | 'rotation' | 'one-time-token'>

/** `method` of a session: the method of the first factor, or the id of the provider. */
export type SessionMethod = OwnSessionMethod | ProviderId

/** The method of a session after a sign-in at a provider. */
export const methodAtProvider = (id: string): SessionMethod => id
