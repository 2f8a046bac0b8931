import { calculateJwkThumbprint, EmbeddedJWK } from 'jose'
import { BoundedMap } from '../../kit/bounded-map.ts'
import { verifyForeignJwt } from '../../kit/foreign-jwt.ts'
import { sha256 } from '../../kit/hash.ts'
import { minutes, ms } from '../../kit/time.ts'
import type { DeviceKey, Session } from '../model/sessions.table.ts'
import type { Scope } from '../scope.ts'
import { endpointUrl } from '../settings.ts'
import { readBearerToken, shownToken } from './bearer-token.ts'
import { tokenProof } from './device-key.ts'
import { ProofRefused, proofAlgorithms } from './dpop-challenge.ts'

/** Proofs of possession (DPoP, RFC 9449): a JWT for one request, signed with a key that its header contains. */

/** Maximum age of a proof. */
export const proofWindow = minutes(2)

/** An RSA key of 8192 bits, its signature and a long address. */
const maxLength = 8000

const refused = (reason: string) => new ProofRefused(reason)

export interface DpopProof {
  /** The thumbprint of its key (RFC 7638). */
  keyId: string
  jti: string
  /** The hash of the token that it is for. */
  ath: unknown
  nonce: unknown
}

/**
 * Verifies the proof of a request (section 4.3), except `ath`, the nonce, and that it is used once.
 * @returns null without a proof @throws ProofRefused
 */
export async function readDpopProof(scope: Scope, algorithms = proofAlgorithms): Promise<DpopProof | null> {
  // Several headers are one text with commas, which is not a JWT.
  const proof = scope.request.headers.get('dpop')
  if (proof === null) return null
  if (proof.length > maxLength) throw refused('it is too long')
  const { payload, protectedHeader } = await verifyForeignJwt(proof, EmbeddedJWK, {
    typ: 'dpop+jwt',
    algorithms: [...algorithms],
    requiredClaims: ['jti', 'htm', 'htu', 'iat'],
    currentDate: scope.now(),
  }).catch((thrown: Error) => {
    throw refused(thrown.message)
  })
  const { htm, htu, iat, jti, ath, nonce } = payload
  const jwk = protectedHeader.jwk!
  if ('d' in jwk) throw refused('it carries a private key')
  if (typeof jti !== 'string') throw refused('its jti is not a text')
  if (htm !== scope.request.method) throw refused('it is for another method')
  if (typeof htu !== 'string' || !isThisAddress(scope, htu)) throw refused('it is for another address')
  if (scope.now().getTime() / 1000 - iat! > proofWindow) throw refused('it is too old')
  return { keyId: await calculateJwkThumbprint(jwk), jti, ath, nonce }
}

/** Section 4.2: without query and fragment, compared after normalisation. */
function isThisAddress(scope: Scope, htu: string): boolean {
  // A server that asks for its own visitor: the proof is for an address of the server.
  if (scope.request.path === '' || !URL.canParse(htu)) return false
  const { origin, pathname } = new URL(htu)
  return `${origin}${pathname}` === endpointUrl(scope, scope.request.path)
}

/** A proof is used once in the deployment. @throws ProofRefused */
export async function spendProof(scope: Scope, { keyId, jti }: DpopProof): Promise<void> {
  const { allowed } = await scope.counters.hit(`dpop:${keyId}:${jti}`, { max: 1, window: 2 * proofWindow })
  if (!allowed) throw refused('it has been used before')
}

/** Proofs that this isolate has seen, with their ends (ms). Without the oldest, a read could be repeated. */
const seen = new BoundedMap<string, number>(20_000)

function noteSeen(scope: Scope, { keyId, jti }: DpopProof): void {
  const name = sha256(`${keyId}:${jti}`)
  const now = scope.now().getTime()
  if ((seen.get(name) ?? 0) > now) throw refused('it has been used before')
  seen.set(name, now + ms(2 * proofWindow))
}

/** The proof of the request, verified once. */
const proofOfRequest = (scope: Scope) => readDpopProof(scope)

/** Spends it. A read that may lag by seconds costs no I/O: it is used once in each isolate. */
async function spentProof(scope: Scope): Promise<void> {
  const proof = (await scope.once(proofOfRequest))!
  noteSeen(scope, proof)
  if (scope.io.mayLag) return
  scope.io.declare({ durable: 1 })
  await spendProof(scope, proof)
}

/** The key of a new session, from the proof of its sign-in. @throws ProofRefused */
export async function newTokenKey(scope: Scope): Promise<DeviceKey> {
  const { keyId } = (await scope.once(proofOfRequest))!
  await scope.once(spentProof)
  // Of the guest who signs in.
  if (shownToken(scope)?.scheme === 'dpop') await proveToken(scope)
  const at = scope.now().getTime()
  return { kind: 'dpop', id: keyId, jwk: {}, at, since: at }
}

type Bound = Pick<Session, 'token' | 'deviceKey'>

/** Verifies that a request may use its token, for `admits` (device-key.ts). @param session undefined: not read yet */
export async function proveToken(scope: Scope, session?: Bound): Promise<void> {
  const state = scope.once(tokenProof)
  try {
    state.proved = await checkToken(scope, session)
  } catch (thrown) {
    if (!(thrown instanceof ProofRefused)) throw thrown
    state.refusal = thrown.message
  }
}

/** RFC 9449, sections 7.1 and 7.2: only with the scheme DPoP. */
async function checkToken(scope: Scope, session?: Bound): Promise<{ token: string; keyId: string }> {
  const presented = shownToken(scope)
  const token = readBearerToken(scope)
  if (!presented || token === null || (session && token !== session.token)) {
    throw refused('the token is not in the header Authorization')
  }
  if (presented.scheme !== 'dpop') throw refused('the scheme of Authorization is not DPoP')
  const proof = await scope.once(proofOfRequest)
  if (!proof) throw refused('it is missing')
  if (session && proof.keyId !== session.deviceKey!.id) throw refused('it is from another key')
  if (proof.ath !== sha256(presented.text)) throw refused('it is for another token')
  await scope.once(spentProof)
  return { token, keyId: proof.keyId }
}
