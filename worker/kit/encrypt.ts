import { Buffer } from 'node:buffer'
import { deriveKey, sha256 } from './hash.ts'

/** Characters of a secret at least. */
export const minSecretLength = 32

/** Identifies a secret in a sealed text without revealing it. */
export const sealKeyId = (secret: string): string => sha256(`seal:${secret}`).slice(0, 8)

/** The key id of a sealed text; null for other texts. */
export function sealKeyIdOf(text: string): string | null {
  try {
    const header = Buffer.from(text.split('.', 1)[0]!, 'base64url').toString()
    const { kid, enc } = JSON.parse(header) as { kid?: unknown; enc?: unknown }
    return enc && typeof kid === 'string' ? kid : null
  } catch {
    return null
  }
}

/**
 * Seals a text: AES-256-GCM as a compact JWE (RFC 7516, `dir`), under a key derived from the newest secret and marked
 * with its id, so that secrets can be rotated. @param secrets newest first
 */
export async function seal(secrets: readonly string[], text: string): Promise<string> {
  const { CompactEncrypt } = await import('jose')
  const secret = secrets[0]!
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: sealKeyId(secret) })
    .encrypt(deriveKey(secret, 'seal'))
}

/** Opens a sealed text with any of the secrets. Throws if no secret made it or if it was altered. */
export async function open(secrets: readonly string[], sealed: string): Promise<string> {
  const { compactDecrypt } = await import('jose')
  const { plaintext } = await compactDecrypt(
    sealed,
    (header) => {
      const secret = secrets.find((candidate) => sealKeyId(candidate) === header.kid)
      if (!secret) throw new Error(`no secret with the key id ${header.kid}`)
      return deriveKey(secret, 'seal')
    },
    { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
  )
  return new TextDecoder().decode(plaintext)
}
