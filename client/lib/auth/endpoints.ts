import type { Endpoints as Served } from '../../../worker/contract.ts'

/**
 * What the server answers at each path. The types come from the server's contracts; the paths below are those that the
 * client reads itself, and hold only as long as no contract says more. Dates are written as the client sees them: the
 * transport turns every ISO 8601 date-time of an answer into a `Date`.
 */
export type Endpoints = Omit<Served, Summed> & Omit<OwnPaths, Exclude<keyof Served, Summed>>

// Every feature adds its own fields to these answers, and no single contract lists them all.
type Summed = '/config' | '/get-session'

export interface User {
  id: string
  email: string
  emailVerified: boolean
  name: string
  image?: string | null
  createdAt: Date
  updatedAt: Date
  twoFactorEnabled?: boolean | null
  username?: string | null
  displayUsername?: string | null
  phoneNumber?: string | null
  phoneNumberVerified?: boolean | null
  isAnonymous?: boolean | null
  role?: string | null
  /** Required fields of the configuration that they are still to be asked for. */
  missingFields?: string[]
}

/** A field that the configuration adds to users, where a form shows it. */
export interface AdditionalField {
  name: string
  type: 'string' | 'number' | 'boolean' | 'date'
  required: boolean
  label: string | { en: string; de: string }
  signUp: boolean
  profile: boolean
  /** What is stored is not told: the profile form can replace it, and does not know it. */
  returned: boolean
  hasDefault: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  min?: number | string
  max?: number | string
  options?: readonly (string | { value: string; label: string | { en: string; de: string } })[]
}

export interface Session {
  id: string
  userId: string
  token: string
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
  ipAddress?: string | null
  userAgent?: string | null
  activeOrganizationId?: string | null
  impersonatedBy?: string | null
}

/** An entry of list-sessions: the server reads the browser and the system from the user agent. */
export interface DeviceSession extends Session {
  device: { browser: string | null; os: string | null } | null
  /** Where its requests come from, as far as the network says. */
  place?: { city: string | null; country: string | null } | null
  /** How it was signed in: 'password', 'magic-link', a provider's id. */
  method?: string | null
}

export type LinkedAccount = Served['/list-accounts']['answer'][number]

export type ApiKey = Served['/api-key/get']['answer']

/** A sign-in either opens a session, sends the browser elsewhere, or asks for the second factor. */
export interface SignInAnswer {
  redirect?: boolean
  token?: string
  url?: string
  user?: User
  twoFactorRedirect?: boolean
}

/** Which capabilities are on. A capability that the server does not name is off. */
export interface FeatureSwitches {
  /** Signing in with a password: unless the server says that it is off. */
  emailAndPassword?: boolean
  signUp?: boolean
  /** Whoever comes by a provider that tells no address is asked for one. */
  askForEmail?: boolean
  changeEmail?: boolean
  deleteUser?: boolean
  username?: boolean
  magicLink?: boolean
  emailOtp?: boolean
  phoneNumber?: boolean
  /** Who has no account yet gets one by verifying a number. */
  phoneSignUp?: boolean
  anonymous?: boolean
  passkey?: boolean
  /** Who has no account yet gets one with a passkey alone. */
  passkeySignUp?: boolean
  oneTap?: boolean
  twoFactor?: boolean
  multiSession?: boolean
  organization?: boolean
  teams?: boolean
  apiKey?: boolean
  identityProvider?: boolean
  admin?: boolean
  billing?: boolean
  /** A link to confirm the address is mailed after a sign-up. */
  verifyOnSignUp?: boolean
  /** GET /change-email/pending and POST /change-email/cancel. */
  pendingEmail?: boolean
  /** GET /list-sign-in-methods tells when each was last used. */
  signInMethods?: boolean
  /** POST /avatar takes a picture. */
  avatar?: boolean
}

export type Lifetime = 'emailCode' | 'phoneCode' | 'magicLink' | 'secondFactorCode' | 'passwordReset' | 'invitation'

/** GET /config: all that a visitor's screens must know before anybody has signed in. Nothing in it is secret. */
export interface PublicConfig {
  name: string
  /** Mails are not sent but shown at /dev/mailbox. */
  development?: boolean
  features: FeatureSwitches
  /** Beside the name: addresses of pages and of a logo; the accent is in a style sheet of the server's. */
  brand?: {
    /** One for each theme where they differ. */
    logo?: string | { light: string; dark: string } | null
    terms?: string | null
    privacy?: string | null
    support?: string | null
  }
  /** `oauth2` providers start at /sign-in/oauth2, the others at /sign-in/social. */
  providers: { id: string; name: string; kind: 'social' | 'oauth2'; withoutEmail?: boolean }[]
  /** Fields of the configuration that forms show. */
  additionalFields?: AdditionalField[]
  /** Of the code that proves an address after a provider that tells none; the lifetime in seconds. */
  addressCode?: { digits: number; lifetime: number }
  passwordLength: { min: number; max: number }
  /** Seconds that links and codes live. */
  lifetimes?: Partial<Record<Lifetime, number>>
  usernameLength?: { min: number; max: number }
  /** Null for a kind of code that is off; trustDeviceMaxAge in seconds. */
  twoFactor?: { totp: { digits: number } | null; otp: { digits: number } | null; trustDeviceMaxAge: number }
  /** Codes by mail and by text message. */
  emailCode?: { digits: number }
  phoneCode?: { digits: number }
  /** What can be bought; only where billing is on. */
  billing?: { products: { productId: string; slug: string; name?: string; description?: string }[] }
  /** Google's script is asked for accounts under this client id. */
  oneTap?: { clientId: string }
  /** The domain that passkeys are for. */
  passkey?: { rpId: string }
  /** Accounts that one browser may be signed in to at once. */
  multiSession?: { maximumSessions: number }
  /** What each role of an organization may do, and the role of whoever creates one; only where organizations are on. */
  organization?: {
    roles: Record<string, Record<string, string[]>>
    creatorRole: string
    deletable: boolean
    creatable: boolean
    /** Where the link of an invitation leads, which adds `id`. */
    invitationPage?: string
  }
  apiKey?: {
    /** The header that a key comes in. */
    header: string
    /** Days. */
    minExpiresIn: number
    maxExpiresIn: number
    customExpiry: boolean
    /** Seconds, of keys whose maker says nothing; null: they do not expire. */
    defaultExpiresIn: number | null
    maximumNameLength: number
    /** What people may give to their own keys. */
    permissions: Record<string, string[]>
  }
  /** What each role of the application may do, and the one of whoever signs up; only where administration is on. */
  admin?: { roles: Record<string, Record<string, string[]>>; defaultRole: string }
  captcha: null | { provider: 'cloudflare-turnstile' | 'google-recaptcha' | 'hcaptcha'; siteKey: string }
}

interface Get<Answer, Query = undefined> {
  method: 'GET'
  body: undefined
  query: Query
  answer: Answer
}

interface Organization {
  id: string
  name: string
  slug: string
  logo?: string | null
  metadata?: Record<string, unknown> | null
  createdAt: Date
}

interface Member {
  id: string
  organizationId: string
  userId: string
  role: string
  teamId?: string | null
  createdAt: Date
  user: { id: string; name: string; email: string; image?: string | null }
}

interface OwnPaths {
  '/config': Get<PublicConfig>
  '/get-session': Get<
    { session: Session; user: User } | null,
    { disableCookieCache?: boolean; disableRefresh?: boolean }
  >
  '/organization/list': Get<Organization[]>
  '/organization/get-full-organization': Get<
    (Organization & { members: Member[]; invitations: unknown[]; teams?: unknown[] }) | null,
    { organizationId?: string; organizationSlug?: string }
  >
  '/organization/get-active-member': Get<Member | null>
}
