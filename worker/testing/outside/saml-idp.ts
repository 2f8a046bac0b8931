import { Buffer } from 'node:buffer'
import { generateKeyPairSync, sign } from 'node:crypto'
import { SignedXml } from 'xml-crypto/lib/signed-xml.js'

/** A SAML identity provider for tests: keys, certificates and responses, valid ones and those of an attacker. */

const der = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const hex = (text: string) => Buffer.from(text, 'hex')
const sha256WithRsa = der(0x30, hex('06092a864886f70d01010b'), hex('0500'))
const utcTime = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

/** An RSA key with a self-signed certificate (RFC 5280), in PEM. */
export function newSamlKey(name = 'idp', expiresAt = new Date('2040-01-01')) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const subject = der(0x30, der(0x31, der(0x30, hex('0603550403'), der(0x0c, Buffer.from(name)))))
  const body = der(
    0x30,
    der(0xa0, hex('020102')),
    hex('020101'),
    sha256WithRsa,
    subject,
    der(0x30, utcTime(new Date('2020-01-01')), utcTime(expiresAt)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const certificate = der(0x30, body, sha256WithRsa, der(0x03, hex('00'), sign('sha256', body, privateKey)))
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----`,
  }
}

export type SamlKey = ReturnType<typeof newSamlKey>

export interface ResponseOptions {
  issuer: string
  audience: string
  recipient: string
  inResponseTo?: string | null
  subject?: string
  attributes?: Record<string, string[]>
  destination?: string
  status?: string
  /** Milliseconds from now until the assertion ends. */
  validFor?: number
  /** Milliseconds from now until it begins. */
  validIn?: number
  id?: string
}

let issued = 0
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

/** A response without a signature. `subject` is XML, so that a test can add a comment. */
export function samlResponse(options: ResponseOptions): string {
  const { issuer, audience, recipient, inResponseTo = '_request', subject = 'ada@example.com' } = options
  const { destination = recipient, status = 'Success', validFor = 300_000, validIn = -1000 } = options
  const id = options.id ?? `_assertion${++issued}`
  const time = (pause: number) => new Date(Date.now() + pause).toISOString()
  const answering = inResponseTo === null ? '' : ` InResponseTo="${escaped(inResponseTo)}"`
  const attributes = Object.entries(options.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escaped(name)}">${values
        .map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  )
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ` +
    `ID="_response${issued}" Version="2.0" IssueInstant="${time(0)}" Destination="${escaped(destination)}"${answering}>` +
    `<saml:Issuer>${escaped(issuer)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>` +
    `<saml:Assertion ID="${id}" Version="2.0" IssueInstant="${time(0)}"><saml:Issuer>${escaped(issuer)}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${subject}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${time(validFor)}" Recipient="${escaped(recipient)}"${answering}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${time(validIn)}" NotOnOrAfter="${time(validFor)}"><saml:AudienceRestriction><saml:Audience>${escaped(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${time(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
  )
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

export interface SigningOptions {
  part?: 'Assertion' | 'Response'
  signature?: string
  digest?: string
}

/** Signs the assertion or the response. */
export function signSaml(xml: string, { privateKey, certificate }: SamlKey, options: SigningOptions = {}): string {
  const { part = 'Assertion', digest = 'http://www.w3.org/2001/04/xmlenc#sha256' } = options
  const { signature = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256' } = options
  const signer = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: exclusive,
  } as never)
  if (signature.includes('hmac')) signer.enableHMAC()
  const xpath = `//*[local-name(.)='${part}']`
  const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive]
  signer.addReference({ xpath, digestAlgorithm: digest, transforms })
  const after = part === 'Assertion' ? `${xpath}/*[local-name(.)='Issuer']` : '/*/*[local-name(.)="Issuer"]'
  signer.computeSignature(xml, { location: { reference: after, action: 'after' }, prefix: 'ds' })
  return signer.getSignedXml()
}
