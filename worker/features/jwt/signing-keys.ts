import {
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Scope } from '../../identity/scope.ts'
import { seal } from '../../kit/encrypt.ts'
import { newId } from '../../kit/random.ts'
import { ms, seconds } from '../../kit/time.ts'
import type { Algorithm } from './algorithms.ts'
import {
  type CachedKeys,
  currentKeys,
  keyRulesOf,
  latestKeys,
  openKey,
  publicKeyOf,
  readKeys,
  remember,
} from './isolate-keys.ts'
import { jwtOptions } from './jwt.config.ts'
import { addKey, deleteKeys, replaceKeys, selectSigningKeys } from './jwt.store.ts'
import type { SigningKey } from './jwt.table.ts'
import { endedKeys, isDue, newestKey, publicJwkOf, publishedKeys, signingKey, successorSignsFrom } from './key-set.ts'

/** The smallest size that RFC 7518 (sections 3.3 and 3.5) allows, sufficient for keys that are used for months. */
const rsaModulus = 2048

/** A token with an unknown key id makes an isolate read the keys again, at most once in this time. */
const coolDown = seconds(30)

export const jwtIssuerOf = (scope: Scope): string => jwtOptions.of(scope).issuer ?? scope.settings.baseUrl

async function generateKey(
  scope: Scope,
  alg: Algorithm,
  from: Pick<SigningKey, 'generation' | 'signsFrom'>,
): Promise<SigningKey> {
  const pair = await generateKeyPair(alg, { extractable: true, modulusLength: rsaModulus })
  const [publicKey, privateKey] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  return {
    id: newId(),
    alg,
    ...from,
    publicKey: JSON.stringify(publicKey),
    privateKey: await seal(scope.settings.secrets, JSON.stringify(privateKey)),
    createdAt: scope.now(),
  }
}

/** The maximum of one statement; the next run handles the rest. */
const idsOf = (keys: SigningKey[]): string[] => keys.slice(0, 90).map(({ id }) => id)

/** Adds the next key of an algorithm, or reads the one that another isolate has added. One round trip. */
async function addSuccessor(scope: Scope, alg: Algorithm, { keys }: CachedKeys, signsFrom: Date): Promise<CachedKeys> {
  const generation = (newestKey(keys, alg)?.generation ?? 0) + 1
  const ended = idsOf(endedKeys(keys, keyRulesOf(scope), scope.now()))
  return remember(scope, await addKey(scope, await generateKey(scope, alg, { generation, signsFrom }), ended))
}

async function rotateWhenDue(scope: Scope, alg: Algorithm): Promise<void> {
  const rules = keyRulesOf(scope)
  const known = await readKeys(scope)
  const newest = newestKey(known.keys, alg)
  if (!newest || !isDue(newest, rules, scope.now())) return
  await addSuccessor(scope, alg, known, successorSignsFrom(newest, rules, scope.now()))
}

/** The key of an algorithm that signs now. Only the first one, and one for a lost secret, is made before the answer. */
async function keyFor(scope: Scope, alg: Algorithm): Promise<{ id: string; privateKey: CryptoKey }> {
  const rules = keyRulesOf(scope)
  let known = await currentKeys(scope)
  let key = signingKey(known.keys, alg, rules, scope.now())
  let privateKey = key ? await openKey(scope, known, key) : null
  if (key && isDue(newestKey(known.keys, alg)!, rules, scope.now())) scope.after(() => rotateWhenDue(scope, alg))
  // A second attempt if the isolate did not know the newest generation.
  for (let tries = 0; !privateKey && tries < 2; tries++) {
    known = await addSuccessor(scope, alg, known, scope.now())
    key = signingKey(known.keys, alg, rules, scope.now())
    privateKey = key ? await openKey(scope, known, key) : null
  }
  if (!key || !privateKey) throw new Error(`there is no key that could sign with ${alg}`)
  return { id: key.id, privateKey }
}

/** Loads the signing key into the isolate and creates a missing one, so that the next token needs no I/O. */
export async function warmSigningKey(scope: Scope, alg: Algorithm = jwtOptions.of(scope).algorithm): Promise<void> {
  await keyFor(scope, alg)
}

export interface SigningOptions {
  /** RFC 8725, section 3.11: the type of the token, such as `at+jwt`. */
  typ?: string
  /**
   * Seconds; at most a day, or `jwt.expiresIn` if that is longer. Ended keys remain in the set for this time. null: the token
   * describes what has happened, and does not expire (RFC 8417, section 2.2).
   */
  expiresIn: number | null
  /** `jwt.algorithm` unless given. */
  alg?: Algorithm
}

/** Signs a token (RFC 7519), without I/O once the isolate has the key. Adds `iat`, `exp` if any, and `iss` unless given. */
export async function signJwt(
  scope: Scope,
  payload: JWTPayload,
  { typ = 'JWT', expiresIn, alg = jwtOptions.of(scope).algorithm }: SigningOptions,
): Promise<string> {
  const { maxTokenLength } = keyRulesOf(scope)
  if (expiresIn !== null && expiresIn > maxTokenLength)
    throw new RangeError(`expiresIn: at most ${maxTokenLength} s, or its key ends before it`)
  const { id, privateKey } = await keyFor(scope, alg)
  const now = Math.floor(scope.now().getTime() / 1000)
  const token = new SignJWT({ iss: jwtIssuerOf(scope), ...payload })
    .setProtectedHeader({ alg, kid: id, typ })
    .setIssuedAt(now)
  if (expiresIn !== null) token.setExpirationTime(now + expiresIn)
  return token.sign(privateKey)
}

function keyIdOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null
  } catch {
    return null
  }
}

async function publishedKey(scope: Scope, id: string): Promise<SigningKey | undefined> {
  const find = ({ keys }: CachedKeys) =>
    publishedKeys(keys, keyRulesOf(scope), scope.now()).find((candidate) => candidate.id === id)
  const known = await currentKeys(scope)
  const key = find(known)
  if (key || scope.now().getTime() - known.readAt < ms(coolDown)) return key
  return find(await readKeys(scope))
}

/**
 * The claims of an unexpired token that one of our published keys has signed with its own algorithm, or null.
 * @param expected `issuer` is the configured one unless given; `audience` and `typ` are checked when given
 */
export async function verifyJwt(
  scope: Scope,
  token: string,
  { issuer = jwtIssuerOf(scope), audience, typ }: { issuer?: string; audience?: string | string[]; typ?: string } = {},
): Promise<JWTPayload | null> {
  const id = keyIdOf(token)
  const key = id === null ? undefined : await publishedKey(scope, id)
  if (!key) return null
  try {
    const { payload } = await jwtVerify(token, await publicKeyOf(key), {
      algorithms: [key.alg],
      issuer,
      ...(audience === undefined ? {} : { audience }),
      ...(typ === undefined ? {} : { typ }),
      requiredClaims: ['exp', 'iat'],
      currentDate: scope.now(),
    })
    return payload
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return null
    throw thrown
  }
}

/** The key set (RFC 7517): every key that a valid token may have or the next tokens will have. */
export async function readPublicKeys(scope: Scope): Promise<{ keys: JWK[] }> {
  const rules = keyRulesOf(scope)
  let known = await latestKeys(scope)
  const { algorithm } = jwtOptions.of(scope)
  if (!signingKey(known.keys, algorithm, rules, scope.now())) {
    known = await addSuccessor(scope, algorithm, known, scope.now())
  }
  return { keys: publishedKeys(known.keys, rules, scope.now()).map(publicJwkOf) }
}

/**
 * Publishes the next key of an algorithm. It signs as soon as every verifier can know it. The earlier key remains in
 * the set until its last token has expired. Returns a rotation that has already started.
 * @param compromised the earlier keys leave the set immediately, which invalidates their tokens; the new key signs
 * immediately
 */
export async function rotateSigningKeys(
  scope: Scope,
  alg: Algorithm = jwtOptions.of(scope).algorithm,
  { compromised = false }: { compromised?: boolean } = {},
): Promise<{ kid: string; signsFrom: Date }> {
  const now = scope.now()
  let known = await readKeys(scope)
  const newest = newestKey(known.keys, alg)
  if (compromised) {
    const generation = (newest?.generation ?? 0) + 1
    const key = await generateKey(scope, alg, { generation, signsFrom: now })
    known = remember(scope, await replaceKeys(scope, key))
  } else if (!newest || newest.signsFrom <= now) {
    known = await addSuccessor(scope, alg, known, successorSignsFrom(newest, keyRulesOf(scope), now))
  }
  const { id, signsFrom } = newestKey(known.keys, alg)!
  return { kid: id, signsFrom }
}

/** Deletes the keys whose last token has expired. */
export async function deleteEndedKeys(scope: Scope): Promise<void> {
  const ended = endedKeys(await selectSigningKeys(scope.db), keyRulesOf(scope), scope.now())
  if (ended.length > 0) await deleteKeys(scope.db, idsOf(ended))
}
