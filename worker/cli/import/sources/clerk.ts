import { readRows } from '../readers/csv.ts'
import { readObjects } from '../readers/json.ts'
import {
  asDate,
  asFlag,
  asObject,
  asText,
  type ImportedUser,
  type ImportRecord,
  type SourceOptions,
} from '../records.ts'
import { importRecordsOf, unknownProvider } from './each.ts'

/** Clerk's provider names whose user ids are the same here, without the `oauth_` of some exports. */
const providers = new Set([
  'google',
  'github',
  'facebook',
  'apple',
  'discord',
  'gitlab',
  'spotify',
  'twitch',
  'twitter',
])

/** Clerk: the dashboard's CSV (the only export with password hashes), or users as its API returns them, in JSON. */
export async function* clerk(options: SourceOptions): AsyncGenerator<ImportRecord> {
  for (const file of options.files) {
    const items = file.endsWith('.csv') ? readRows(file, ['id']) : readObjects(file)
    yield* importRecordsOf(items, (at, row) =>
      Array.isArray(row.email_addresses) ? fromApi(at, row, options) : [{ kind: 'user', ...fromCsv(at, row) }],
    )
  }
}

/** Several addresses or numbers in one cell. */
const list = (cell: unknown): string[] =>
  String(cell ?? '')
    .split(/[|,;\s]+/)
    .filter(Boolean)

const nameOf = (row: Record<string, unknown>): string =>
  [asText(row.first_name), asText(row.last_name)].filter(Boolean).join(' ')

function fromCsv(at: string, row: Record<string, unknown>): ImportedUser {
  const verified = list(row.verified_email_addresses)
  const email = asText(row.primary_email_address) ?? verified[0] ?? list(row.unverified_email_addresses)[0]
  const numbers = list(row.verified_phone_numbers)
  const phoneNumber = asText(row.primary_phone_number) ?? numbers[0]
  return {
    what: asText(row.id) ?? at,
    id: asText(row.id) ?? '',
    email,
    emailVerified: email !== undefined && verified.includes(email),
    name: nameOf(row),
    image: asText(row.image_url),
    username: asText(row.username),
    phoneNumber,
    phoneNumberVerified: phoneNumber !== undefined && numbers.includes(phoneNumber),
    banned: asFlag(row.banned),
    createdAt: asDate(row.created_at),
    updatedAt: asDate(row.updated_at),
    passwordHash: asText(row.password_digest),
    twoFactor: asText(row.totp_secret) ? { secret: asText(row.totp_secret)!, backupCodes: [] } : null,
    raw: row,
  }
}

const isVerified = (part: Record<string, unknown> | null | undefined): boolean =>
  asObject(part?.verification)?.status === 'verified'

function* fromApi(at: string, row: Record<string, unknown>, options: SourceOptions): Generator<ImportRecord> {
  const what = asText(row.id) ?? at
  const parts = (value: unknown) => (Array.isArray(value) ? value.map(asObject).filter((one) => one !== null) : [])
  const emails = parts(row.email_addresses)
  const email = emails.find(({ id }) => id === row.primary_email_address_id) ?? emails[0]
  const numbers = parts(row.phone_numbers)
  const number = numbers.find(({ id }) => id === row.primary_phone_number_id) ?? numbers[0]
  const user: ImportedUser = {
    what,
    id: asText(row.id) ?? '',
    email: asText(email?.email_address),
    emailVerified: isVerified(email),
    name: nameOf(row),
    image: asText(row.image_url),
    username: asText(row.username),
    phoneNumber: asText(number?.phone_number),
    phoneNumberVerified: isVerified(number),
    banned: asFlag(row.banned),
    createdAt: asDate(row.created_at),
    updatedAt: asDate(row.updated_at),
    passwordHash: asText(row.password_digest),
    identities: [],
    raw: row,
  }
  for (const account of parts(row.external_accounts)) {
    const provider = String(account.provider ?? '').replace(/^oauth_/, '')
    const providerId = options.providers.get(provider) ?? (providers.has(provider) ? provider : null)
    const accountId = asText(account.provider_user_id)
    if (providerId && accountId) user.identities!.push({ providerId, accountId })
    else yield unknownProvider(what, provider)
  }
  yield { kind: 'user', ...user }
}
