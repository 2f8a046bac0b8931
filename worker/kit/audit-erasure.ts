import { compactVerify, importJWK, type JWK, SignJWT } from 'jose'
import { type ChainedRecord, canonicalJson, contentOf } from './audit-chain.ts'
import { calculateKeyId, checkpointKeyOf } from './audit-checkpoint.ts'
import { sha256Hex } from './hash.ts'

/** What the deployment confirms about a record without its personal data: the links of both sides, and what is left. */
export interface Erasure {
  chain: string
  number: number
  /** The link before the record. */
  previous: string
  hash: string
  /** See `contentHash`. */
  content: string
}

const type = 'audit-erasure+jwt'

export const contentHash = (record: ChainedRecord): string => sha256Hex(canonicalJson(contentOf(record)))

/** Signs erasures as compact JWS with the key of checkpoints. The same input has the same signature. */
export async function signErasures(secret: string, erasures: readonly Erasure[]): Promise<string[]> {
  const { privateKey, jwk, kid } = await checkpointKeyOf(secret)
  return Promise.all(
    erasures.map((erasure) =>
      new SignJWT({ ...erasure }).setProtectedHeader({ alg: 'EdDSA', typ: type, kid, jwk }).sign(privateKey),
    ),
  )
}

/** @returns null for anything that the key of the header has not signed */
export async function readErasure(token: string): Promise<(Erasure & { kid: string }) | null> {
  try {
    const { payload, protectedHeader } = await compactVerify(
      token,
      async ({ jwk }) => importJWK((jwk ?? {}) as JWK, 'EdDSA'),
      { algorithms: ['EdDSA'] },
    )
    if (protectedHeader.typ !== type) return null
    const { chain, number, previous, hash, content } = JSON.parse(new TextDecoder().decode(payload))
    return { chain, number, previous, hash, content, kid: await calculateKeyId(protectedHeader.jwk as JWK) }
  } catch {
    return null
  }
}

/** The proofs of records. @param isTrusted which keys the verifier trusts */
export async function provenErasures(
  records: readonly { erased?: string | undefined; organizationErased?: string | undefined }[],
  isTrusted: (kid: string) => boolean = () => true,
): Promise<ReadonlyMap<string, Erasure>> {
  const tokens = records.flatMap(({ erased, organizationErased }) => [erased, organizationErased])
  const proven = new Map<string, Erasure>()
  for (const token of tokens) {
    if (token === undefined) continue
    const erasure = await readErasure(token)
    if (erasure && isTrusted(erasure.kid)) proven.set(token, erasure)
  }
  return proven
}
