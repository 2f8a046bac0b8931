import { writeFirebaseHash } from '../../../identity/accounts/hash-formats/firebase-scrypt.ts'
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

/** Firebase's provider names whose user ids are the same here. Others: `--provider`. */
const providers: Record<string, string> = {
  'google.com': 'google',
  'facebook.com': 'facebook',
  'github.com': 'github',
  'twitter.com': 'twitter',
  'apple.com': 'apple',
}

/** Firebase: the output of `firebase auth:export users.json`. */
export async function* firebase(options: SourceOptions): AsyncGenerator<ImportRecord> {
  for (const file of options.files) {
    yield* importRecordsOf(readObjects(file, 'users'), (at, row) => readUser(at, row, options))
  }
}

function* readUser(at: string, row: Record<string, unknown>, options: SourceOptions): Generator<ImportRecord> {
  const what = asText(row.localId) ?? at
  const user: ImportedUser = {
    what,
    id: asText(row.localId) ?? '',
    email: asText(row.email),
    emailVerified: asFlag(row.emailVerified),
    name: asText(row.displayName),
    image: asText(row.photoUrl),
    phoneNumber: asText(row.phoneNumber),
    // Firebase stores only verified numbers.
    phoneNumberVerified: asText(row.phoneNumber) !== null,
    banned: asFlag(row.disabled),
    createdAt: asDate(asText(row.createdAt)),
    updatedAt: null,
    identities: [],
    raw: { ...row, customAttributes: attributes(row.customAttributes) },
  }
  const [hash, salt] = [asText(row.passwordHash), asText(row.salt)]
  if (hash && !options.firebase) {
    yield { kind: 'skipped', what, reason: 'password: the signer key (GATEHOUSE_SIGNER_KEY) is missing' }
  } else if (hash) user.passwordHash = writeFirebaseHash(options.firebase!, salt ?? '', hash)
  for (const info of Array.isArray(row.providerUserInfo) ? row.providerUserInfo.map(asObject) : []) {
    const provider = asText(info?.providerId)
    if (provider === null || provider === 'password' || provider === 'phone') continue
    const providerId = options.providers.get(provider) ?? providers[provider]
    const accountId = asText(info?.rawId)
    if (providerId && accountId) user.identities!.push({ providerId, accountId })
    else yield unknownProvider(what, provider)
  }
  yield { kind: 'user', ...user }
}

/** Custom claims are JSON in a string. */
function attributes(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value
  } catch {
    return value
  }
}
