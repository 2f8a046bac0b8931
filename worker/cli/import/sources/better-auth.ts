import { createHash } from 'node:crypto'
import { open as openFile } from 'node:fs/promises'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { Secret } from 'otpauth'
import type { Item } from '../readers/json.ts'
import { readDump } from '../readers/sql-dump.ts'
import { readSqlite } from '../readers/sqlite.ts'
import {
  asDate,
  asFlag,
  asText,
  ImportError,
  type ImportedIdentity,
  type ImportRecord,
  type SourceOptions,
  type TwoFactorSecret,
} from '../records.ts'
import { consentsOf, type ReadRow, relatedTables, type SourceRow } from './better-auth-related.ts'

/**
 * better-auth 1.2: a SQLite file, an export of D1, or a dump of Postgres. Table and column names may be those of its
 * schema, or plural and in snake_case.
 */
export async function* betterAuth(options: SourceOptions): AsyncGenerator<ImportRecord> {
  const told = new Set<string>()
  const rowsOf = (name: string) => readTable(options.files, name, told)
  const accounts = new Map<string, { password: string | null; identities: ImportedIdentity[] }>()
  for await (const { row, at, problem } of rowsOf('account')) {
    if (problem) yield { kind: 'skipped', what: at, reason: problem }
    else addAccount(accounts, row, options)
  }
  const twoFactors = new Map<string, TwoFactorSecret>()
  for await (const { row, at, problem } of rowsOf('twofactor')) {
    const opened = problem ?? openTwoFactor(row, options.secret)
    if (typeof opened === 'string') yield { kind: 'skipped', what: asText(row.userid) ?? at, reason: opened }
    else twoFactors.set(String(row.userid), opened)
  }
  for await (const { row, at, problem } of rowsOf('user')) {
    const id = asText(row.id) ?? ''
    if (problem) yield { kind: 'skipped', what: at, reason: problem }
    else if (asFlag(row.isanonymous)) yield { kind: 'skipped', what: id, reason: 'is a guest' }
    else yield { kind: 'user', ...userOf(row, id || at, accounts.get(id), twoFactors.get(id)) }
  }
  for (const [table, read] of relatedTables) {
    for await (const { row, at, problem } of rowsOf(table)) {
      if (problem) yield { kind: 'skipped', what: at, reason: problem }
      else yield* [read(row, at) ?? []].flat()
    }
  }
  yield* consentsOf(rowsOf('oauthconsent'))
}

const simple = (name: string): string => name.replace(/^.*\./, '').replaceAll('_', '').toLowerCase()

/**
 * A table's rows by column names in lower case without underscores: `emailVerified`, `email_verified`.
 * @param told the reported problems: an unreadable place is reported once, and not for every requested table
 */
async function* readTable(files: string[], table: string, told: Set<string>): AsyncGenerator<ReadRow> {
  const wanted = (name: string) => simple(name) === table || simple(name) === `${table}s`
  for (const file of files) {
    const items: AsyncIterable<Item> = (await isSqlite(file)) ? readSqlite(file, wanted) : readDump(file, wanted)
    for await (const item of items) {
      if ('problem' in item) {
        const place = `${file} ${item.at}`
        if (!told.has(place)) yield { row: {}, ...item }
        told.add(place)
      } else {
        const row = Object.fromEntries(Object.entries(item.value).map(([name, value]) => [simple(name), value]))
        yield { row, at: item.at }
      }
    }
  }
}

/** https://www.sqlite.org/fileformat.html, section 1.3 */
async function isSqlite(file: string): Promise<boolean> {
  const handle = await openFile(file).catch(() => {
    throw new ImportError(`${file}: cannot be read`)
  })
  const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0)
  await handle.close()
  return buffer.toString('latin1') === 'SQLite format 3\0'
}

function addAccount(
  accounts: Map<string, { password: string | null; identities: ImportedIdentity[] }>,
  row: SourceRow,
  options: SourceOptions,
): void {
  const userId = String(row.userid)
  const of = accounts.get(userId) ?? { password: null, identities: [] }
  accounts.set(userId, of)
  const providerId = asText(row.providerid) ?? ''
  if (providerId === 'credential') {
    of.password = asText(row.password)
    return
  }
  of.identities.push({
    providerId: options.providers.get(providerId) ?? providerId,
    accountId: asText(row.accountid) ?? '',
    scope: asText(row.scope),
    accessToken: asText(row.accesstoken),
    refreshToken: asText(row.refreshtoken),
    idToken: asText(row.idtoken),
    accessTokenExpiresAt: asDate(row.accesstokenexpiresat),
    refreshTokenExpiresAt: asDate(row.refreshtokenexpiresat),
  })
}

const nonceLength = 24

/** XChaCha20-Poly1305 with the SHA-256 of the secret as key: hexadecimal, the nonce first. */
function decrypt(secret: string, hex: string): string {
  const data = Buffer.from(hex, 'hex')
  const key = createHash('sha256').update(secret).digest()
  const opened = xchacha20poly1305(key, data.subarray(0, nonceLength)).decrypt(data.subarray(nonceLength))
  return Buffer.from(opened).toString()
}

/** @returns the reason if it cannot be decrypted and is skipped */
function openTwoFactor(row: SourceRow, secret: string | undefined): TwoFactorSecret | string {
  if (!secret) return 'second factor: BETTER_AUTH_SECRET is missing'
  try {
    // The authenticator has the base32 of the string's bytes.
    const plain = decrypt(secret, String(row.secret))
    const codes = JSON.parse(decrypt(secret, String(row.backupcodes))) as unknown
    const backupCodes = Array.isArray(codes) ? codes.map(String) : []
    return { secret: Secret.fromUTF8(plain).base32, backupCodes }
  } catch {
    return 'second factor: BETTER_AUTH_SECRET does not open it'
  }
}

function userOf(
  row: SourceRow,
  what: string,
  account: { password: string | null; identities: ImportedIdentity[] } | undefined,
  twoFactor: TwoFactorSecret | undefined,
) {
  return {
    what,
    id: asText(row.id) ?? '',
    email: asText(row.email),
    emailVerified: asFlag(row.emailverified),
    name: asText(row.name),
    image: asText(row.image),
    username: asText(row.username),
    displayUsername: asText(row.displayusername),
    phoneNumber: asText(row.phonenumber),
    phoneNumberVerified: asFlag(row.phonenumberverified),
    role: asText(row.role),
    banned: asFlag(row.banned),
    banReason: asText(row.banreason),
    banExpires: asDate(row.banexpires),
    createdAt: asDate(row.createdat),
    updatedAt: asDate(row.updatedat),
    passwordHash: account?.password ?? null,
    identities: account?.identities ?? [],
    // An unconfirmed second factor protects nothing.
    twoFactor: asFlag(row.twofactorenabled) ? (twoFactor ?? null) : null,
    raw: row,
  }
}
