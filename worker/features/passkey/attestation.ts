import { X509Certificate } from 'node:crypto'

/**
 * Statements of authenticators (WebAuthn, section 8), which count only with `attestation.roots`. The library verifies their
 * signature and that the certificate names the model; the chain of certificates is verified here, by the runtime
 * (decision 395).
 */

/** Turns off the library's own roots of some formats, whose chains need a library that the upload does not contain. */
export async function leavePathsToUs(): Promise<void> {
  const { SettingsService } = await import('@simplewebauthn/server')
  for (const identifier of ['apple', 'android-key', 'android-safetynet'] as const) {
    SettingsService.setRootCertificates({ identifier, certificates: [] })
  }
}

/** The maximum number of certificates in a statement. */
const maxCertificates = 8

/** Whether certificates in DER, the signer's first, lead to one of the roots (RFC 5280, section 6). */
export function endsAtRoot(chain: unknown, roots: string[], now: Date): boolean {
  if (!Array.isArray(chain) || chain.length === 0 || chain.length > maxCertificates) return false
  try {
    const certificates = (chain as Uint8Array[]).map((one) => new X509Certificate(one))
    const anchors = roots.map((root) => new X509Certificate(root))
    const isLinked = certificates.every((one, n) => n === 0 || isIssuer(certificates[n - 1]!, one))
    const last = certificates.at(-1)!
    return (
      isLinked &&
      certificates.every((one) => isValidAt(one, now)) &&
      anchors.some((root) => isValidAt(root, now) && (root.raw.equals(last.raw) || isIssuer(last, root)))
    )
  } catch {
    return false
  }
}

const isIssuer = (of: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && of.checkIssued(issuer) && of.verify(issuer.publicKey)

const isValidAt = ({ validFrom, validTo }: X509Certificate, now: Date): boolean =>
  Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo)
