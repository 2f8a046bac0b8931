import { readObjects } from '../readers/json.ts'
import {
  asDate,
  asFlag,
  asObject,
  asText,
  type ImportedIdentity,
  type ImportedUser,
  type ImportRecord,
  type SourceOptions,
} from '../records.ts'
import { importRecordsOf, unknownProvider } from './each.ts'

/** Auth0's connection names of providers whose user ids are the same here. Others: `--provider`. */
const providers: Record<string, string> = {
  'google-oauth2': 'google',
  facebook: 'facebook',
  github: 'github',
  twitter: 'twitter',
  apple: 'apple',
}

/**
 * Reads Auth0's bulk export of users (NDJSON) and the export of password hashes from its support (NDJSON), together or
 * alone.
 */
export async function* auth0(options: SourceOptions): AsyncGenerator<ImportRecord> {
  const hashes = new Map<string, string>()
  if (options.passwords) {
    for await (const item of readObjects(options.passwords)) {
      if ('problem' in item) yield { kind: 'skipped', what: `${options.passwords} ${item.at}`, reason: item.problem }
      else if (asText(item.value.passwordHash)) hashes.set(idOfHash(item.value), asText(item.value.passwordHash)!)
    }
  }
  for (const file of options.files) {
    yield* importRecordsOf(readObjects(file), (at, row) => readUser(at, row, options, hashes))
  }
}

/** `auth0|` and the id of the record, or the customer's own id. */
const idOfHash = (row: Record<string, unknown>): string =>
  `auth0|${asText(row.alt_id) ?? asText(asObject(row._id)?.$oid) ?? ''}`

function* readUser(
  at: string,
  row: Record<string, unknown>,
  options: SourceOptions,
  hashes: Map<string, string>,
): Generator<ImportRecord> {
  const ofHashes = asObject(row._id) !== null
  const id = ofHashes ? idOfHash(row) : (asText(row.user_id) ?? asText(row.Id) ?? '')
  const what = id || at
  // Some rows of the hash export have an address only in this field.
  const identifiers = Array.isArray(row.identifiers) ? row.identifiers.map(asObject) : []
  const identifier = identifiers.find((one) => one?.type === 'email')
  const user: ImportedUser = {
    what,
    id,
    email: asText(row.email) ?? asText(identifier?.value),
    emailVerified: asFlag(row.email_verified ?? identifier?.verified),
    name: asText(row.name) ?? asText(row.nickname),
    image: asText(row.picture),
    username: asText(row.username),
    phoneNumber: asText(row.phone_number),
    phoneNumberVerified: asFlag(row.phone_verified),
    banned: asFlag(row.blocked),
    createdAt: asDate(row.created_at) ?? asDate(asObject(row.password_set_date)?.$date),
    updatedAt: asDate(row.updated_at),
    passwordHash: asText(row.passwordHash) ?? hashes.get(id) ?? null,
    identities: [],
    raw: row,
  }
  for (const identity of Array.isArray(row.identities) ? row.identities.map(asObject) : []) {
    const provider = asText(identity?.provider)
    if (!identity || provider === null || provider === 'auth0') continue
    const found = identityOf(provider, identity, options)
    if (found) user.identities!.push(found)
    else yield unknownProvider(what, asText(identity.connection) ?? provider)
  }
  yield { kind: 'user', ...user }
}

/**
 * Custom connections are named `oauth2` or `oidc`; the name of the connection precedes the subject in the ids of their
 * users.
 */
function identityOf(
  provider: string,
  identity: Record<string, unknown>,
  options: SourceOptions,
): ImportedIdentity | null {
  const connection = asText(identity.connection) ?? provider
  const providerId = options.providers.get(connection) ?? options.providers.get(provider) ?? providers[provider]
  const accountId = asText(identity.user_id)
  if (!providerId || accountId === null) return null
  return {
    providerId,
    accountId: accountId.startsWith(`${connection}|`) ? accountId.slice(connection.length + 1) : accountId,
  }
}
