import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { apiKeys } from '../../features/api-key/api-key.table.ts'
import type { oauthApplications } from '../../features/identity-provider/model/clients/clients.table.ts'
import type { oauthAccessTokens, oauthConsents } from '../../features/identity-provider/model/grants/grants.table.ts'
import type { invitations } from '../../features/organization/model/invitations.table.ts'
import type { members } from '../../features/organization/model/members.table.ts'
import type { organizations } from '../../features/organization/model/organizations.table.ts'
import type { teams } from '../../features/organization/model/teams.table.ts'
import type { passkeys } from '../../features/passkey/passkey.table.ts'
import type { sessions } from '../../identity/model/sessions.table.ts'
import { CliError } from '../cli-error.ts'

/** The records that every source produces: first users, then the records that refer to them. */
export type ImportRecord =
  | ({ kind: 'user' } & ImportedUser)
  | { kind: 'session'; userId: string; values: RowValues<typeof sessions> }
  | { kind: 'passkey'; userId: string; values: RowValues<typeof passkeys> }
  | { kind: 'organization'; values: RowValues<typeof organizations> }
  | { kind: 'team'; values: RowValues<typeof teams> }
  | { kind: 'member'; userId: string; values: RowValues<typeof members> }
  | { kind: 'invitation'; userId: string; values: RowValues<typeof invitations> }
  | { kind: 'apiKey'; userId: string; values: RowValues<typeof apiKeys> }
  | { kind: 'oauthClient'; userId: string | null; values: RowValues<typeof oauthApplications> }
  | { kind: 'oauthConsent'; userId: string; values: RowValues<typeof oauthConsents> }
  | { kind: 'oauthToken'; userId: string; values: RowValues<typeof oauthAccessTokens> }
  | { kind: 'skipped'; what: string; reason: string }

/** Records that belong to users, with the users' ids at the source. */
export type RelatedRecord = Exclude<ImportRecord, { kind: 'user' | 'skipped' }>

/** The values of a row by the names of the table's columns; `null` also where the row cannot be without a value. */
export type RowValues<T extends SQLiteTable> = { [K in keyof T['$inferInsert']]?: T['$inferInsert'][K] | null }

export interface ImportedUser {
  /** The name of the record in the report: the source's id, or its position in the file. */
  what: string
  /** The id at the source; kept if it is valid here. */
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
  /** In the format of the source; see identity/accounts/hash-formats. */
  passwordHash?: string | null
  identities?: ImportedIdentity[]
  twoFactor?: TwoFactorSecret | null
  /** The source's row, from which `--field` reads additional fields. */
  raw?: unknown
}

/** An identity at a provider, with the provider ids of our configuration. */
export interface ImportedIdentity {
  providerId: string
  accountId: string
  scope?: string | null
  accessToken?: string | null
  refreshToken?: string | null
  idToken?: string | null
  accessTokenExpiresAt?: Date | null
  refreshTokenExpiresAt?: Date | null
}

/** In plain text; sealed before it is written. */
export interface TwoFactorSecret {
  /** Base32. */
  secret: string
  backupCodes: string[]
}

/** The options of the command line about the source. */
export interface SourceOptions {
  files: string[]
  /** better-auth: the secret of the old deployment, which decrypts second factors. */
  secret?: string | undefined
  /** Provider ids at the source and here: `google-oauth2` -> `google`. They override those of the source. */
  providers: ReadonlyMap<string, string>
  /** Auth0: the export of password hashes. */
  passwords?: string | undefined
  /** Supabase: `auth.identities`. */
  identities?: string | undefined
  /** Firebase: the password hash parameters of the console. */
  firebase?: { signerKey: string; saltSeparator: string; rounds: number; memCost: number } | undefined
}

export type ImportSource = (options: SourceOptions) => AsyncIterable<ImportRecord>

/** An invalid argument or an invalid file: prints a message without a stack. */
export class ImportError extends CliError {
  constructor(message: string, next = 'correct the file, then run the command again; an import writes no row twice') {
    super(message, next)
  }
}

/** A value from a file, if it is a plain object; otherwise null. */
export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null

/** `true`, `t`, `1` and other forms in databases and CSV files. */
export const asFlag = (value: unknown): boolean => value === true || /^(true|t|1)$/i.test(String(value))

/** Seconds or milliseconds since 1970, ISO 8601, or the format of Postgres. */
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

/** JSON in a text column or cell. */
export function asJson(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'string') return asObject(value)
  try {
    return asObject(JSON.parse(value))
  } catch {
    return null
  }
}
