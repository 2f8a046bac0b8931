import * as z from 'zod'
import { type AdditionalField, additionalField } from '../kit/additional-field.ts'
import { callable, parts, positive, zeroOrMore } from '../kit/option-schema.ts'
import { defineOptions } from '../kit/options.ts'
import type { PasswordHash } from '../kit/password.ts'
import { days, hours, minutes } from '../kit/time.ts'
import type { MailOptions, OwnTransport } from '../platform/mailer/mail.ts'
import type { OwnTextTransport, TextOptions } from '../platform/texter/text-message.ts'
import { readHash } from './accounts/hash-formats/foreign-hash.ts'
import { type MailTemplates, mailNames, type TextTemplates, textNames } from './messages/templates.ts'

/** What the whole application is told once, by worker/config.ts and the environment. */
export interface Settings {
  /** The name that mails and screens show. */
  appName: string
  environment: 'production' | 'development'
  /** Origin of the Worker as people see it, without a path. Links are made from it, never from a request. */
  baseUrl: string
  /** Newest first. */
  secrets: readonly [string, ...string[]]
  /** `strict` takes the safer answer wherever the specification's is the laxer one (guides/operate.md, checklist). */
  profile: 'compatible' | 'strict'
  /** Origins that may call with cookies and be redirected to; `*` for whole labels of a host. */
  trustedOrigins: readonly string[]
  /** Addresses whose owners become administrators when they sign up; in development only. In lower case. */
  adminEmails: readonly string[]
}

/** Where the protocol lives below the base URL. */
export const basePath = '/api/auth'

/** One more field of every session, by configuration. Only the server sets it: by its default, and by setSessionFields. */
export interface SessionField {
  type: AdditionalField['type']
  /** Then it needs a default. */
  required?: boolean
  /** A value, or a function of the user who signs in, as get-session shows them. */
  defaultValue?: unknown
  /** Whether answers show it. */
  returned?: boolean
}

const sessionField = additionalField.pick({ type: true, required: true, defaultValue: true, returned: true })

export const sessionOptions = defineOptions(
  'session',
  {
    additionalFields: {} as Record<string, SessionField>,
    expiresIn: days(7),
    /** A session is extended when its last extension is older than this. */
    updateAge: days(1),
    /** How long after signing in a session counts as fresh; 0: always. */
    freshAge: days(1),
    /** Lifetime of a session whose owner does not want to be remembered. */
    shortLived: days(1),
    disableSessionRefresh: false,
    /** get-session may answer from a signed cookie for maxAge seconds. */
    cookieCache: { enabled: true, maxAge: minutes(5) },
  },
  undefined,
  { updateAge: zeroOrMore, freshAge: zeroOrMore, additionalFields: z.record(z.string(), sessionField) },
)

export const cookieOptions = defineOptions(
  'cookies',
  {
    /** Cookies are named `<prefix>.<name>`. */
    prefix: 'gatehouse',
    /** A parent domain, such as `example.com`, to share the session with its subdomains; null: this host only. */
    domain: null as string | null,
    /** `none` for products on another site, whose pages call with credentials; on https only. */
    sameSite: 'lax' as 'lax' | 'none',
  },
  undefined,
  {
    sameSite: z.enum(['lax', 'none']),
    prefix: z.string().regex(/^[A-Za-z0-9_-]+$/, 'must be letters, digits, hyphens and underscores'),
    domain: z.string().nullable(),
  },
)

export const userOptions = defineOptions(
  'user',
  {
    additionalFields: {} as Record<string, AdditionalField>,
    changeEmail: { enabled: false },
    deleteUser: {
      enabled: false,
      /** Deletion is confirmed by mail. */
      sendDeleteAccountVerification: false,
      deleteTokenExpiresIn: days(1),
    },
  },
  undefined,
  { additionalFields: z.record(z.string(), additionalField) },
)

export const accountOptions = defineOptions(
  'account',
  {
    accountLinking: {
      enabled: true,
      /** Provider ids whose word for an address is taken even when they do not call it verified. */
      trustedProviders: [] as string[],
      allowDifferentEmails: false,
      allowUnlinkingAll: false,
      updateUserInfoOnLink: false,
    },
    /** Whoever comes by a provider that tells no address is asked for one, and proves it by a mailed code. */
    askForEmail: false,
    /** A product's own way to hash passwords, instead of scrypt. */
    passwordHash: null as PasswordHash | null,
    /**
     * One hash for each cost that imported hashes have, as `gatehouse import` prints them: while they stand here, every
     * guess at a password takes the time of all of them, so that nobody learns by it who was imported.
     */
    importedHashes: [] as string[],
  },
  {},
  {
    importedHashes: z.array(
      z.string().refine((text) => readHash(text)?.tooMuch === null, 'must be hashes as `gatehouse import` prints them'),
    ),
    passwordHash: z
      .strictObject({ hash: callable<PasswordHash['hash']>(), verify: callable<PasswordHash['verify']>() })
      .nullable(),
  },
)

export const emailAndPasswordOptions = defineOptions(
  'emailAndPassword',
  {
    enabled: true,
    disableSignUp: false,
    /** Nobody signs in before their address is verified; each try sends a new mail. */
    requireEmailVerification: false,
    autoSignIn: true,
    minPasswordLength: 8,
    maxPasswordLength: 128,
    resetPasswordTokenExpiresIn: hours(1),
  },
  { requireEmailVerification: true },
  // Hashing more text than this would be work for nothing.
  { maxPasswordLength: positive.max(4096) },
)

export const emailVerificationOptions = defineOptions('emailVerification', {
  enabled: true,
  sendOnSignUp: false,
  /** A verified link signs in, if it is the one that verified. */
  autoSignInAfterVerification: false,
  expiresIn: hours(1),
})

/** Functions, by these names and no others. */
const functions = (names: readonly string[]) => parts(Object.fromEntries(names.map((name) => [name, callable()])))

/** How mails are sent, and what they say where a product has words of its own (messages/templates.ts lists them). */
export const mailOptions = defineOptions(
  'mail',
  {
    transport: 'mailbox',
    from: { address: 'accounts@gatehouse.example.com', name: 'Gatehouse' },
    templates: {},
  } as MailOptions & { templates: MailTemplates },
  undefined,
  {
    transport: z.union([z.enum(['mailbox', 'cloudflare', 'smtp', 'resend', 'postmark']), callable<OwnTransport>()]),
    smtp: parts({ tls: z.enum(['implicit', 'starttls', 'none']) }),
    postmark: parts({ messageStream: z.string() }),
    templates: functions(mailNames),
  },
)

/** The same for text messages. */
export const textOptions = defineOptions(
  'text',
  { transport: 'mailbox', templates: {} } as TextOptions & { templates: TextTemplates },
  undefined,
  {
    transport: z.union([z.enum(['mailbox', 'twilio']), callable<OwnTextTransport>()]),
    templates: functions(textNames),
  },
)

/** Guesses at a password, per account, whatever address they come from. A success forgets the failures before it. */
export const passwordGuessOptions = defineOptions('passwordGuesses', { max: 20, window: minutes(15) })
