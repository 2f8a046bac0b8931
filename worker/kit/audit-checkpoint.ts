import { createPrivateKey } from 'node:crypto'
import { calculateJwkThumbprint, compactVerify, errors, importJWK, type JWK, SignJWT } from 'jose'
import { deriveKey } from './hash.ts'

/** The state of a chain at a time, signed by the deployment. */
export interface Checkpoint {
  /** The address of the deployment. */
  issuer: string
  /** The empty text for the deployment, or the id of an organization. */
  chain: string
  time: Date
  /** The last sealed record and its link. */
  seq: number
  hash: string
  /** What the retention has deleted: everything up to this record, which was older than `before`. null: nothing. */
  deleted: { seq: number; hash: string; before: Date } | null
  /**
   * Only after a recovery of the database from an earlier state: records from after `since` are lost, and the next number after
   * `seq` is `next`.
   */
  gap?: { since: Date; next: number }
}

const type = 'audit-checkpoint+jwt'

/** The part of PKCS #8 before the seed of an Ed25519 key (RFC 8410, section 7). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Ed25519, derived from a secret. A key that signs tokens is deleted soon after its rotation; a checkpoint must be
 * verifiable as long as it is kept.
 */
const privateKeyOf = (secret: string): JWK =>
  createPrivateKey({
    key: Buffer.concat([pkcs8, deriveKey(secret, 'audit-checkpoint')]),
    format: 'der',
    type: 'pkcs8',
  }).export({ format: 'jwk' }) as JWK

const publicPart = ({ kty, crv, x }: JWK): JWK => ({ kty, crv, x }) as JWK

/** A public key (RFC 7517). */
export interface CheckpointKey {
  kty: string
  crv: string
  x: string
  alg: string
  use: string
  /** Its thumbprint (RFC 7638). */
  kid: string
}

async function publicKeyOf(privateKey: JWK): Promise<CheckpointKey> {
  const key = publicPart(privateKey)
  const kid = await calculateJwkThumbprint(key)
  return { kty: 'OKP', crv: 'Ed25519', x: String(key.x), alg: 'EdDSA', use: 'sig', kid }
}

/** The public keys of all secrets, as a list of JWK (RFC 7517). */
export const checkpointKeys = (secrets: readonly string[]): Promise<CheckpointKey[]> =>
  Promise.all(secrets.map((secret) => publicKeyOf(privateKeyOf(secret))))

/** The key of a secret, for the header and the signature of a JWS. */
export async function checkpointKeyOf(secret: string) {
  const key = privateKeyOf(secret)
  const { kid } = await publicKeyOf(key)
  return { privateKey: await importJWK(key, 'EdDSA'), jwk: publicPart(key), kid }
}

export const calculateKeyId = (jwk: JWK): Promise<string> => calculateJwkThumbprint(publicPart(jwk))

/** Signs checkpoints as compact JWS, with the key of one secret. */
export async function signCheckpoints(secret: string, checkpoints: readonly Checkpoint[]): Promise<string[]> {
  const { privateKey, jwk, kid } = await checkpointKeyOf(secret)
  const seconds = (time: Date) => Math.floor(time.getTime() / 1000)
  return Promise.all(
    checkpoints.map(({ issuer, chain, time, seq, hash, deleted, gap }) =>
      new SignJWT({
        ...{ iss: issuer, chain, seq, hash },
        ...(deleted && { deleted: { ...deleted, before: seconds(deleted.before) } }),
        ...(gap && { gap: { ...gap, since: seconds(gap.since) } }),
      })
        .setProtectedHeader({ alg: 'EdDSA', typ: type, kid, jwk })
        .setIssuedAt(time)
        .sign(privateKey),
    ),
  )
}

/** A checkpoint that its key has signed. */
export interface SignedCheckpoint extends Checkpoint {
  kid: string
}

/**
 * Reads a signed checkpoint. Its header contains the public key, because the deployment does not publish the key of a
 * retired secret: the caller decides which keys (`kid`) it trusts.
 * @returns null for anything that the named key has not signed
 */
export async function readCheckpoint(token: string): Promise<SignedCheckpoint | null> {
  try {
    const { payload, protectedHeader } = await compactVerify(
      token,
      async ({ jwk }) => importJWK(publicPart(jwk ?? ({} as JWK)), 'EdDSA'),
      { algorithms: ['EdDSA'] },
    )
    if (protectedHeader.typ !== type) return null
    const { iss, iat, chain, seq, hash, deleted, gap } = JSON.parse(new TextDecoder().decode(payload))
    return {
      ...{ issuer: iss, chain, time: new Date(iat * 1000), seq, hash },
      deleted: deleted ? { ...deleted, before: new Date(deleted.before * 1000) } : null,
      ...(gap && { gap: { ...gap, since: new Date(gap.since * 1000) } }),
      kid: await calculateJwkThumbprint(publicPart(protectedHeader.jwk!)),
    }
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError || thrown instanceof TypeError || thrown instanceof SyntaxError) return null
    if (thrown instanceof DOMException) return null
    throw thrown
  }
}
