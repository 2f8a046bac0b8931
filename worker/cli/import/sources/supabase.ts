import { readRows } from '../readers/csv.ts'
import { type Item, readObjects } from '../readers/json.ts'
import { readDump } from '../readers/sql-dump.ts'
import {
  asDate,
  asFlag,
  asJson,
  asText,
  type ImportedIdentity,
  type ImportedUser,
  type ImportRecord,
  type SourceOptions,
} from '../records.ts'
import { importRecordsOf, unknownProvider } from './each.ts'

/** Supabase's provider names whose user ids are the same here. Others: `--provider`. */
const providers: Record<string, string> = {
  google: 'google',
  github: 'github',
  facebook: 'facebook',
  apple: 'apple',
  twitter: 'twitter',
  discord: 'discord',
  gitlab: 'gitlab',
  spotify: 'spotify',
  twitch: 'twitch',
  linkedin_oidc: 'linkedin',
}

/** Supabase: `auth.users` and `auth.identities`, both in a dump of Postgres, or each as CSV or JSON. */
export async function* supabase(options: SourceOptions): AsyncGenerator<ImportRecord> {
  const identities = new Map<string, ImportedIdentity[]>()
  for (const file of options.identities
    ? [options.identities]
    : options.files.filter((name) => name.endsWith('.sql'))) {
    yield* importRecordsOf(read(file, 'auth.identities', ['user_id', 'provider']), (_, row) =>
      readIdentity(row, identities, options),
    )
  }
  for (const file of options.files) {
    yield* importRecordsOf(read(file, 'auth.users', ['id']), (at, row) => readUser(at, row, identities))
  }
}

function read(file: string, table: string, columns: string[]): AsyncIterable<Item> {
  if (file.endsWith('.sql')) return readDump(file, (name) => name === table)
  return file.endsWith('.csv') ? readRows(file, columns) : readObjects(file)
}

function* readIdentity(
  row: Record<string, unknown>,
  identities: Map<string, ImportedIdentity[]>,
  options: SourceOptions,
): Generator<ImportRecord> {
  const { user_id, provider, provider_id, identity_data, id } = row
  const [userId, name] = [asText(user_id), asText(provider)]
  // Before 2023 the id of the row was the subject.
  const accountId = asText(provider_id) ?? asText(asJson(identity_data)?.sub) ?? asText(id)
  if (userId === null || name === null || name === 'email' || name === 'phone') return
  const providerId = options.providers.get(name) ?? providers[name]
  if (!providerId || accountId === null) {
    yield unknownProvider(userId, name)
    return
  }
  identities.set(userId, [...(identities.get(userId) ?? []), { providerId, accountId }])
}

function* readUser(
  at: string,
  row: Record<string, unknown>,
  identities: Map<string, ImportedIdentity[]>,
): Generator<ImportRecord> {
  const id = asText(row.id) ?? ''
  const what = id || at
  if (asText(row.deleted_at)) {
    yield { kind: 'skipped', what, reason: 'was deleted' }
    return
  }
  const about = asJson(row.raw_user_meta_data) ?? {}
  const digits = asText(row.phone)
  const bannedUntil = asDate(row.banned_until)
  const user: ImportedUser = {
    what,
    id,
    email: asText(row.email),
    emailVerified: asText(row.email_confirmed_at ?? row.confirmed_at) !== null,
    name: asText(about.full_name) ?? asText(about.name),
    image: asText(about.avatar_url) ?? asText(about.picture),
    // Written without the plus.
    phoneNumber: digits === null ? null : digits.startsWith('+') ? digits : `+${digits}`,
    phoneNumberVerified: asText(row.phone_confirmed_at) !== null,
    banned: bannedUntil !== null && bannedUntil.getTime() > Date.now(),
    banExpires: bannedUntil,
    createdAt: asDate(row.created_at),
    updatedAt: asDate(row.updated_at),
    passwordHash: asText(row.encrypted_password),
    identities: identities.get(id) ?? [],
    raw: { ...row, raw_user_meta_data: about, raw_app_meta_data: asJson(row.raw_app_meta_data) },
  }
  if (asFlag(row.is_anonymous)) yield { kind: 'skipped', what, reason: 'is a guest' }
  else yield { kind: 'user', ...user }
}
