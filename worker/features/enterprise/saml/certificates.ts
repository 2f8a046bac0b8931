import { X509Certificate } from 'node:crypto'

/**
 * Certificates in PEM, and the time at which the last one expires. The input is PEM, or the base64 text of metadata.
 * @returns null for an invalid certificate, or one without an RSA key
 */
export function readCertificates(texts: readonly string[]): { certificates: string[]; expireAt: string } | null {
  try {
    const certificates = texts.map((text) => {
      const lines = text.replace(/-----[A-Z ]+-----|\s/g, '').match(/.{1,64}/g) ?? []
      return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----`
    })
    const parsed = certificates.map((certificate) => new X509Certificate(certificate))
    if (parsed.some(({ publicKey }) => publicKey.asymmetricKeyType !== 'rsa')) return null
    const ends = parsed.map(({ validTo }) => new Date(validTo).getTime())
    return { certificates, expireAt: new Date(Math.max(...ends)).toISOString() }
  } catch {
    return null
  }
}
