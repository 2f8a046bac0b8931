/** The messages of the service provider (SAML Core, section 3.4.1; SAML Metadata, section 2.4.4). */

import type { UpstreamSession } from '../../../identity/model/sessions.table.ts'
import { base64Of } from './certificates.ts'

export const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

interface AuthnRequest {
  id: string
  issuedAt: Date
  destination: string
  /** Our assertion consumer service. */
  recipient: string
  issuer: string
}

export const authnRequest = ({ id, issuedAt, destination, recipient, issuer }: AuthnRequest): string =>
  `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ` +
  `ID="${escaped(id)}" Version="2.0" IssueInstant="${issuedAt.toISOString()}" Destination="${escaped(destination)}" ` +
  `ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" AssertionConsumerServiceURL="${escaped(recipient)}">` +
  `<saml:Issuer>${escaped(issuer)}</saml:Issuer><samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>`

interface Logout {
  id: string
  issuedAt: Date
  destination: string
  issuer: string
}

const logoutAttributes = ({ id, issuedAt, destination }: Logout): string =>
  `xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ` +
  `ID="${escaped(id)}" Version="2.0" IssueInstant="${issuedAt.toISOString()}" Destination="${escaped(destination)}"`

/** SAML Core, section 3.7.1. */
export function logoutRequest({ upstream, ...logout }: Logout & { upstream: UpstreamSession }): string {
  const { subject, sessionIndex } = upstream
  const qualifiers = {
    Format: upstream.format,
    NameQualifier: upstream.nameQualifier,
    SPNameQualifier: upstream.spNameQualifier,
  }
  const attributes = Object.entries(qualifiers).flatMap(([name, value]) =>
    value ? ` ${name}="${escaped(value)}"` : [],
  )
  const index = sessionIndex === null ? '' : `<samlp:SessionIndex>${escaped(sessionIndex)}</samlp:SessionIndex>`
  return (
    `<samlp:LogoutRequest ${logoutAttributes(logout)}><saml:Issuer>${escaped(logout.issuer)}</saml:Issuer>` +
    `<saml:NameID${attributes.join('')}>${escaped(subject)}</saml:NameID>${index}</samlp:LogoutRequest>`
  )
}

/** SAML Core, section 3.7.2. */
export const logoutResponse = ({ inResponseTo, ...logout }: Logout & { inResponseTo: string }): string =>
  `<samlp:LogoutResponse ${logoutAttributes(logout)} InResponseTo="${escaped(inResponseTo)}"><saml:Issuer>${escaped(logout.issuer)}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status></samlp:LogoutResponse>`

interface ServiceProvider {
  entityId: string
  /** Our assertion consumer service. */
  recipient: string
  /** Our single logout service. */
  logoutUrl: string
  signsRequests: boolean
  /** In PEM, the signing one first. */
  certificates: readonly string[]
}

/**
 * The metadata of the service provider of one connection. Both certificates of a rotation verify signatures; the first one
 * encrypts.
 */
export function metadataOf({ entityId, recipient, logoutUrl, signsRequests, certificates }: ServiceProvider): string {
  const keyOf = (use: string, certificate: string) =>
    `    <md:KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64Of(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>\n`
  const keys = [
    ...certificates.map((certificate) => keyOf('signing', certificate)),
    ...certificates.slice(0, 1).map((certificate) => keyOf('encryption', certificate)),
  ]
  const logout = ['HTTP-Redirect', 'HTTP-POST'].map(
    (binding) =>
      `    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${escaped(logoutUrl)}"/>\n`,
  )
  return `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escaped(entityId)}">
  <md:SPSSODescriptor AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${keys.join('')}${logout.join('')}    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(recipient)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
}
