import { CompactEncrypt, compactDecrypt } from 'jose'
import { deriveKey, sha256 } from './hash.ts'

const keyId = (secret: string): string => sha256(`seal:${secret}`).slice(0, 8)

/**
 * Seals a text for storage: AES-256-GCM as a compact JWE (RFC 7516, `dir`), under a key derived from the newest
 * secret and marked with its id, so that secrets can be rotated.
 * @param secrets newest first
 */
export function seal(secrets: readonly string[], text: string): Promise<string> {
  const secret = secrets[0]!
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: keyId(secret) })
    .encrypt(deriveKey(secret, 'seal'))
}

/** Opens what `seal` made with any of the secrets. Throws when it was made with none of them, or was altered. */
export async function open(secrets: readonly string[], sealed: string): Promise<string> {
  const { plaintext } = await compactDecrypt(
    sealed,
    (header) => {
      const secret = secrets.find((candidate) => keyId(candidate) === header.kid)
      if (!secret) throw new Error(`no secret with the key id ${header.kid}`)
      return deriveKey(secret, 'seal')
    },
    { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
  )
  return new TextDecoder().decode(plaintext)
}
