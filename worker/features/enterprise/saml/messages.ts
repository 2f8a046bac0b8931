import { Buffer } from 'node:buffer'

/** The messages of the service provider (SAML Core, section 3.4.1; SAML Metadata, section 2.4.4). */

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

interface AuthnRequest {
  id: string
  issuedAt: Date
  destination: string
  /** Our assertion consumer service. */
  recipient: string
  issuer: string
  /** Whether the user must authenticate again. */
  forces: boolean
}

/** A request in the HTTP redirect binding (SAML Bindings, section 3.4.4). @returns the URL of the identity provider */
export async function requestUrl(request: AuthnRequest, relayState: string): Promise<string> {
  const { id, issuedAt, destination, recipient, issuer, forces } = request
  const xml =
    `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ` +
    `ID="${escaped(id)}" Version="2.0" IssueInstant="${issuedAt.toISOString()}" Destination="${escaped(destination)}" ` +
    `ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" AssertionConsumerServiceURL="${escaped(recipient)}"` +
    `${forces ? ' ForceAuthn="true"' : ''}><saml:Issuer>${escaped(issuer)}</saml:Issuer>` +
    `<samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>`
  const deflated = new Response(new Blob([xml]).stream().pipeThrough(new CompressionStream('deflate-raw')))
  const url = new URL(destination)
  url.searchParams.set('SAMLRequest', Buffer.from(await deflated.arrayBuffer()).toString('base64'))
  url.searchParams.set('RelayState', relayState)
  return url.toString()
}

/** The metadata of the service provider of one connection. */
export const metadataOf = (entityId: string, recipient: string): string =>
  `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(entityId)}">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(recipient)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
