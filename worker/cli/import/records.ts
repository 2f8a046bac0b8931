/** What every source is read into: neutral records, a person's before those that speak of them. */
export type ImportRecord =
  | ({ kind: 'user' } & ImportedUser)
  | { kind: 'session'; userId: string; values: Values }
  | { kind: 'passkey'; userId: string; values: Values }
  | { kind: 'organization'; values: Values }
  | { kind: 'team'; values: Values }
  | { kind: 'member'; userId: string; values: Values }
  | { kind: 'invitation'; userId: string; values: Values }
  | { kind: 'apiKey'; userId: string; values: Values }
  | { kind: 'oauthClient'; userId: string | null; values: Values }
  | { kind: 'oauthConsent'; userId: string; values: Values }
  | { kind: 'oauthToken'; userId: string; values: Values }
  | { kind: 'skipped'; what: string; reason: string }

/** What belongs to people, by the source's ids of them. */
export type RelatedRecord = Exclude<ImportRecord, { kind: 'user' | 'skipped' }>

/** A row's columns, named as in the table. */
export type Values = Record<string, string | number | boolean | Date | null | undefined>

export interface ImportedUser {
  /** What the report calls the record: the source's id, or where it stands in the file. */
  what: string
  /** The source's; kept as ours where it fits. */
  id: string
  email?: string | null
  emailVerified?: boolean
  name?: string | null
  image?: string | null
  username?: string | null
  displayUsername?: string | null
  phoneNumber?: string | null
  phoneNumberVerified?: boolean
  role?: string | null
  banned?: boolean
  banReason?: string | null
  banExpires?: Date | null
  createdAt?: Date | null
  updatedAt?: Date | null
  /** As the source stores it; see identity/accounts/hash-formats. */
  passwordHash?: string | null
  identities?: Identity[]
  twoFactor?: TwoFactorSecret | null
  /** The source's own row, from which `--field` takes additional fields. */
  raw?: unknown
}

/** An identity at a provider, by the ids that our configuration has for it. */
export interface Identity {
  providerId: string
  accountId: string
  scope?: string | null
  accessToken?: string | null
  refreshToken?: string | null
  idToken?: string | null
  accessTokenExpiresAt?: Date | null
  refreshTokenExpiresAt?: Date | null
}

/** In the clear; sealed before it is written. */
export interface TwoFactorSecret {
  /** Base32. */
  secret: string
  backupCodes: string[]
}

/** What the command line says about the source. */
export interface SourceOptions {
  files: string[]
  /** better-auth: the secret of the old deployment, which opens second factors. */
  secret?: string | undefined
  /** Names of providers there and here: `google-oauth2` -> `google`. Over those of the source. */
  providers: ReadonlyMap<string, string>
  /** Auth0: the export of password hashes. */
  passwords?: string | undefined
  /** Supabase: `auth.identities`. */
  identities?: string | undefined
  /** Firebase: the password hash parameters of the console. */
  firebase?: { signerKey: string; saltSeparator: string; rounds: number; memCost: number } | undefined
}

export type Source = (options: SourceOptions) => AsyncIterable<ImportRecord>

/** What a person gave wrong on the command line, or a file that is not what it should be: a message, no stack. */
export class ImportError extends Error {}

/** Something read from a file, as a plain object; null for anything else. */
export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null

/** `true`, `t`, `1` and the like, as databases and CSV files write it. */
export const asFlag = (value: unknown): boolean => value === true || /^(true|t|1)$/i.test(String(value))

/** Seconds or milliseconds since 1970, ISO 8601, or what Postgres writes. */
export function asDate(value: unknown): Date | null {
  if (value === null || value === undefined || value === '') return null
  const number = typeof value === 'number' ? value : /^\d{9,14}(\.\d+)?$/.test(String(value)) ? Number(value) : null
  if (number !== null) return valid(new Date(number < 1e11 ? number * 1000 : number))
  const iso = String(value)
    .replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
    .replace(/([+-]\d\d)$/, '$1:00')
  return valid(new Date(/T.*(Z|[+-]\d\d:?\d\d)$/.test(iso) || !iso.includes('T') ? iso : `${iso}Z`))
}

const valid = (date: Date): Date | null => (Number.isNaN(date.getTime()) ? null : date)

/** JSON that a column or cell holds as text. */
export function asJson(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'string') return asObject(value)
  try {
    return asObject(JSON.parse(value))
  } catch {
    return null
  }
}
