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
  asJson,
  asText,
  type Identity,
  ImportError,
  type ImportRecord,
  type SourceOptions,
  type TwoFactorSecret,
} from '../records.ts'

type Row = Record<string, unknown>

/**
 * better-auth 1.2: a SQLite file, an export of D1, or a dump of Postgres. Names of tables and columns may be those of
 * its own schema or in snake_case and the plural.
 */
export async function* betterAuth(options: SourceOptions): AsyncGenerator<ImportRecord> {
  const rowsOf = (name: string) => readTable(options.files, name)
  const accounts = new Map<string, { password: string | null; identities: Identity[] }>()
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
  for (const [kind, table] of [
    ['organization', 'organization'],
    ['team', 'team'],
    ['member', 'member'],
    ['invitation', 'invitation'],
    ['passkey', 'passkey'],
    ['session', 'session'],
  ] as const) {
    for await (const { row, at, problem } of rowsOf(table)) {
      if (problem) yield { kind: 'skipped', what: at, reason: problem }
      else {
        const record = recordOf(kind, row, at)
        if (record) yield record
      }
    }
  }
}

const simple = (name: string): string => name.replace(/^.*\./, '').replaceAll('_', '').toLowerCase()

/** A table's rows by column names in lower case without underscores: `emailVerified`, `email_verified`. */
async function* readTable(files: string[], table: string): AsyncGenerator<{ row: Row; at: string; problem?: string }> {
  const wanted = (name: string) => simple(name) === table || simple(name) === `${table}s`
  for (const file of files) {
    const items: AsyncIterable<Item> = (await isSqlite(file)) ? readSqlite(file, wanted) : readDump(file, wanted)
    for await (const item of items) {
      if ('problem' in item) {
        // A place that cannot be read is told once, not for every table that is looked for.
        if (table === 'user' || !item.at.startsWith('line')) yield { row: {}, ...item }
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
  accounts: Map<string, { password: string | null; identities: Identity[] }>,
  row: Row,
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

/** XChaCha20-Poly1305 under the SHA-256 of the secret: hexadecimal, the nonce in front. */
function decrypt(secret: string, hex: string): string {
  const data = Buffer.from(hex, 'hex')
  const key = createHash('sha256').update(secret).digest()
  const opened = xchacha20poly1305(key, data.subarray(0, nonceLength)).decrypt(data.subarray(nonceLength))
  return Buffer.from(opened).toString()
}

/** @returns why it stays behind, where it cannot be opened */
function openTwoFactor(row: Row, secret: string | undefined): TwoFactorSecret | string {
  if (!secret) return 'second factor: --secret is missing'
  try {
    // The authenticator has the base32 of the text's bytes.
    const plain = decrypt(secret, String(row.secret))
    const codes = JSON.parse(decrypt(secret, String(row.backupcodes))) as unknown
    const backupCodes = Array.isArray(codes) ? codes.map(String) : []
    return { secret: Secret.fromUTF8(plain).base32, backupCodes }
  } catch {
    return 'second factor: --secret does not open it'
  }
}

function userOf(
  row: Row,
  what: string,
  account: { password: string | null; identities: Identity[] } | undefined,
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
    // One that was never confirmed protects nothing.
    twoFactor: asFlag(row.twofactorenabled) ? (twoFactor ?? null) : null,
    raw: row,
  }
}

/** JSON as the column holds it; null for anything else, which nobody could read. */
const jsonText = (value: unknown): string | null => {
  const object = asJson(value)
  return object && JSON.stringify(object)
}

function recordOf(
  kind: 'organization' | 'team' | 'member' | 'invitation' | 'passkey' | 'session',
  row: Row,
  at: string,
): ImportRecord | null {
  const [id, organizationId, createdAt] = [asText(row.id), asText(row.organizationid), asDate(row.createdat)]
  const userId = asText(row.userid) ?? asText(row.inviterid) ?? ''
  if (id === null) return { kind: 'skipped', what: at, reason: `${kind} without an id` }
  switch (kind) {
    case 'organization': {
      const { name, slug, logo, metadata } = row
      const values = { name: asText(name), slug: asText(slug), logo: asText(logo), metadata: jsonText(metadata) }
      return { kind, values: { id, ...values, created_at: createdAt } }
    }
    case 'team':
      return { kind, values: { id, name: asText(row.name), organization_id: organizationId, created_at: createdAt } }
    case 'member': {
      const [role, team_id] = [asText(row.role) ?? 'member', asText(row.teamid)]
      return { kind, userId, values: { id, organization_id: organizationId, role, team_id, created_at: createdAt } }
    }
    case 'invitation': {
      const email = asText(row.email)?.toLowerCase()
      const [role, status, team_id] = [asText(row.role), asText(row.status) ?? 'pending', asText(row.teamid)]
      const expires_at = asDate(row.expiresat)
      const values = { id, organization_id: organizationId, email, role, status, team_id, expires_at }
      return { kind, userId, values: { ...values, created_at: createdAt ?? new Date() } }
    }
    case 'passkey': {
      const { name, publickey, credentialid, counter, devicetype, backedup, transports, aaguid } = row
      const values = {
        name: asText(name),
        public_key: asText(publickey),
        credential_id: asText(credentialid),
        counter: Number(counter) || 0,
        device_type: devicetype === 'singleDevice' ? 'singleDevice' : 'multiDevice',
        backed_up: asFlag(backedup),
        transports: asText(transports),
        aaguid: asText(aaguid) ?? '00000000-0000-0000-0000-000000000000',
      }
      return { kind, userId, values: { id, ...values, created_at: createdAt ?? new Date() } }
    }
    case 'session': {
      const expires_at = asDate(row.expiresat)
      // What has ended stays behind, and so does an administrator who acts as somebody else.
      if (!expires_at || expires_at.getTime() < Date.now() || asText(row.impersonatedby)) return null
      const values = {
        token: asText(row.token),
        expires_at,
        ip_address: asText(row.ipaddress) ?? '',
        user_agent: asText(row.useragent)?.slice(0, 1024),
        active_organization_id: asText(row.activeorganizationid),
      }
      return { kind, userId, values: { id, ...values, created_at: createdAt, updated_at: asDate(row.updatedat) } }
    }
  }
}
