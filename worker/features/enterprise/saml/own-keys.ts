import { Buffer } from 'node:buffer'
import { after, days } from '../../../kit/time.ts'
import type { OwnCertificate } from '../model/connections.table.ts'
import { selfSigned } from './self-signed.ts'

/** A key pair of a connection: it signs our messages, and decrypts assertions. */
export interface OwnKey {
  /** PKCS #8, in PEM. */
  privateKey: string
  /** In PEM. */
  certificate: string
}

const lifetime = days(3 * 365)

/** A new key pair with a self-signed certificate. RSA, because all identity providers support it for encryption too. */
export async function newOwnKey(now: Date): Promise<OwnKey & OwnCertificate> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const usages = ['sign', 'verify'] as const
  const pair = (await crypto.subtle.generateKey({ ...algorithm, hash: 'SHA-256' }, true, [...usages])) as CryptoKeyPair
  const exported = async (format: 'pkcs8' | 'spki', key: CryptoKey) =>
    Buffer.from((await crypto.subtle.exportKey(format, key)) as ArrayBuffer)
  const [pkcs8, publicKey] = await Promise.all([exported('pkcs8', pair.privateKey), exported('spki', pair.publicKey)])
  const lines = pkcs8.toString('base64').match(/.{1,64}/g)!
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`
  const until = after(now, lifetime)
  // Clocks of identity providers may be behind.
  const from = after(now, -days(1))
  const certificate = selfSigned({ privateKey, type: 'rsa', publicKey, name: 'Gatehouse', from, until })
  return { privateKey, certificate, expiresAt: until.toISOString() }
}
