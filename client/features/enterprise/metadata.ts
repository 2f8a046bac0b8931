import type { Metadata } from './manager.ts'

const md = 'urn:oasis:names:tc:SAML:2.0:metadata'
const ds = 'http://www.w3.org/2000/09/xmldsig#'
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/**
 * The values of an identity provider in its metadata (SAML 2.0 Metadata, sections 2.3.2 and 2.4.3). An administrator checks
 * them in the form, and a test proves them. @returns null for other documents
 */
export function readMetadata(xml: string): Metadata | null {
  // A document type could define entities.
  if (/<!DOCTYPE/i.test(xml)) return null
  const document = new DOMParser().parseFromString(xml.trim(), 'text/xml')
  const [role] = document.getElementsByTagNameNS(md, 'IDPSSODescriptor')
  const entityId =
    role?.closest('EntityDescriptor')?.getAttribute('entityID') ?? role?.parentElement?.getAttribute('entityID')
  const addressOf = (service: string) =>
    [...(role?.getElementsByTagNameNS(md, service) ?? [])]
      .find((element) => element.getAttribute('Binding') === redirectBinding)
      ?.getAttribute('Location') ?? null
  const certificates = [...(role?.getElementsByTagNameNS(md, 'KeyDescriptor') ?? [])]
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => [...key.getElementsByTagNameNS(ds, 'X509Certificate')])
    .map((element) => (element.textContent ?? '').replace(/\s/g, ''))
  const ssoUrl = addressOf('SingleSignOnService')
  return entityId && ssoUrl && certificates.length > 0
    ? {
        ...{ entityId, ssoUrl, sloUrl: addressOf('SingleLogoutService') },
        certificates: [...new Set(certificates)].slice(0, 5),
      }
    : null
}

/** Certificates in a text: in PEM one after another, or the base64 text of metadata in paragraphs. */
export function certificatesIn(text: string): string[] {
  const pem = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  return (
    pem ??
    text
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .filter((part) => part !== '')
  )
}
