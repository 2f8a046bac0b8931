import { Buffer } from 'node:buffer'
import { type KeyObject, randomBytes, sign } from 'node:crypto'
import { der } from '../../../kit/der.ts'
import { pemOf } from './certificates.ts'

const hex = (text: string) => Buffer.from(text, 'hex')
const sequence = 0x30
const version3 = der(0xa0, hex('020102'))
const commonName = hex('0603550403')
const algorithms = {
  rsa: der(sequence, hex('06092a864886f70d01010b'), hex('0500')),
  ec: der(sequence, hex('06082a8648ce3d040302')),
}

/** UTCTime until 2049, GeneralizedTime after it (RFC 5280, section 4.1.2.5). */
function timeOf(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

export interface CertificateInput {
  /** RSA, or EC on P-256. */
  privateKey: KeyObject | string
  type: keyof typeof algorithms
  /** In DER (SubjectPublicKeyInfo). */
  publicKey: Uint8Array
  /** Common name, in ASCII. */
  name: string
  from: Date
  until: Date
}

/**
 * A self-signed certificate (RFC 5280, section 4.1) with SHA-256, in PEM. SAML uses it as a container of the key only
 * (SAML Metadata, section 2.4.1.1).
 */
export function selfSigned({ privateKey, type, publicKey, name, from, until }: CertificateInput): string {
  const serial = randomBytes(16)
  // A positive integer in its shortest form.
  serial[0] = (serial[0]! & 0x3f) | 0x40
  const subject = der(sequence, der(0x31, der(sequence, commonName, der(0x0c, Buffer.from(name)))))
  const validity = der(sequence, timeOf(from), timeOf(until))
  const algorithm = algorithms[type]
  const body = der(sequence, version3, der(0x02, serial), algorithm, subject, validity, subject, publicKey)
  const signature = der(0x03, hex('00'), sign('sha256', body, privateKey))
  return pemOf(der(sequence, body, algorithm, signature).toString('base64'))
}
