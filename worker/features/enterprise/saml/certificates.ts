import { X509Certificate } from 'node:crypto'

const curves: readonly unknown[] = ['prime256v1', 'secp384r1', 'secp521r1']
const minRsaBits = 2048

/**
 * Certificates in PEM, and the time at which the last one expires. The input is PEM, or the base64 text of metadata.
 * @returns null for an invalid certificate, or one whose key is neither RSA of 2048 bits or more nor on a NIST curve
 */
export function readCertificates(texts: readonly string[]): { certificates: string[]; expireAt: string } | null {
  try {
    const certificates = texts.map((text) => pemOf(text.replace(/-----[A-Z ]+-----|\s/g, '')))
    const parsed = certificates.map((certificate) => new X509Certificate(certificate))
    if (!parsed.every(hasStrongKey)) return null
    const ends = parsed.map(({ validTo }) => new Date(validTo).getTime())
    return { certificates, expireAt: new Date(Math.max(...ends)).toISOString() }
  } catch {
    return null
  }
}

/** A certificate in PEM (RFC 7468). @param base64 its DER form */
export const pemOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${(base64.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----`

/** The DER form of a certificate in PEM, as base64 without line breaks: the form in XML signatures and metadata. */
export const base64Of = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, '')

function hasStrongKey({ publicKey }: X509Certificate): boolean {
  const { asymmetricKeyType, asymmetricKeyDetails } = publicKey
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= minRsaBits
  return asymmetricKeyType === 'ec' && curves.includes(asymmetricKeyDetails?.namedCurve)
}
