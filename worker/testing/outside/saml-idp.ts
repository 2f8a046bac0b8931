import { Buffer } from 'node:buffer'
import { createSign, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { SignedXml } from 'xml-crypto/lib/signed-xml.js'
import { base64Of } from '../../features/enterprise/saml/certificates.ts'
import { selfSigned } from '../../features/enterprise/saml/self-signed.ts'

/** A SAML identity provider for tests: keys, certificates and responses, valid ones and those of an attacker. */

/** A key with a self-signed certificate, in PEM. */
export function newSamlKey(name = 'idp', until = new Date('2040-01-01'), type: 'rsa' | 'ec' = 'rsa') {
  const { privateKey, publicKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = selfSigned({
    privateKey,
    type,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    name,
    from: new Date('2020-01-01'),
    until,
  })
  return { privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, certificate }
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
  part?: 'Assertion' | 'Response' | 'LogoutRequest'
  signature?: string
  digest?: string
}

class EcdsaSha256 {
  getAlgorithmName = () => ecdsaSha256
  getSignature = (text: string, key: string) =>
    createSign('SHA256').update(text).sign({ key, dsaEncoding: 'ieee-p1363' }).toString('base64')
}

export const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'

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
  if (signature.includes('ecdsa')) signer.SignatureAlgorithms[signature] = EcdsaSha256 as never
  if (signature.includes('hmac')) signer.enableHMAC()
  const xpath = `//*[local-name(.)='${part}']`
  const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive]
  signer.addReference({ xpath, digestAlgorithm: digest, transforms })
  const after = part === 'Assertion' ? `${xpath}/*[local-name(.)='Issuer']` : '/*/*[local-name(.)="Issuer"]'
  signer.computeSignature(xml, { location: { reference: after, action: 'after' }, prefix: 'ds' })
  return signer.getSignedXml()
}

/** The metadata of the identity provider. */
export const idpMetadata = (entityId: string, certificates: readonly string[], more = ''): string =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escaped(entityId)}">` +
  `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${certificates
    .map(
      (certificate) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64Of(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    )
    .join('')}` +
  `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.org/slo"/>` +
  `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example.org/post"/>` +
  `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.org/sso"/>` +
  `</md:IDPSSODescriptor>${more}</md:EntityDescriptor>`

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'

export interface EncryptionOptions {
  cipher?: 'aes128-gcm' | 'aes256-gcm' | 'aes128-cbc' | 'aes256-cbc'
  /** The hash of RSA-OAEP. SHA-1 uses the older name. `pkcs1` names RSA PKCS #1 v1.5. */
  transport?: 'SHA-1' | 'SHA-256' | 'pkcs1'
  /** The plaintext in place of the assertion. */
  plaintext?: string
}

/** Encrypts the assertion of a response for a certificate. */
export async function encryptSaml(xml: string, certificate: string, options: EncryptionOptions = {}): Promise<string> {
  const { cipher = 'aes256-gcm', transport = 'SHA-1' } = options
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)![0]
  const name = cipher.endsWith('gcm') ? 'AES-GCM' : 'AES-CBC'
  const raw = crypto.getRandomValues(new Uint8Array(cipher.startsWith('aes128') ? 16 : 32))
  const iv = crypto.getRandomValues(new Uint8Array(name === 'AES-GCM' ? 12 : 16))
  const aes = await crypto.subtle.importKey('raw', raw, { name }, false, ['encrypt'])
  const plain = new TextEncoder().encode(options.plaintext ?? assertion)
  const content = Buffer.concat([iv, new Uint8Array(await crypto.subtle.encrypt({ name, iv }, aes, plain))])
  const { publicKey } = new X509Certificate(certificate)
  const hash = transport === 'pkcs1' ? 'SHA-1' : transport
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const rsa = await crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash }, false, ['encrypt'])
  const key = Buffer.from(await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, rsa, raw))
  const methods = {
    'SHA-1': `<xenc:EncryptionMethod Algorithm="${xmlenc}rsa-oaep-mgf1p"/>`,
    'SHA-256': `<xenc:EncryptionMethod Algorithm="${xmlenc11}rsa-oaep"><ds:DigestMethod Algorithm="${xmlenc}sha256"/><xenc11:MGF Algorithm="${xmlenc11}mgf1sha256"/></xenc:EncryptionMethod>`,
    pkcs1: `<xenc:EncryptionMethod Algorithm="${xmlenc}rsa-1_5"/>`,
  }
  const value = (data: Buffer) =>
    `<xenc:CipherData><xenc:CipherValue>${data.toString('base64')}</xenc:CipherValue></xenc:CipherData>`
  const encrypted =
    `<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="${xmlenc}" xmlns:xenc11="${xmlenc11}" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Type="${xmlenc}Element">` +
    `<xenc:EncryptionMethod Algorithm="${name === 'AES-GCM' ? xmlenc11 : xmlenc}${cipher}"/>` +
    `<ds:KeyInfo><xenc:EncryptedKey>${methods[transport]}${value(key)}</xenc:EncryptedKey></ds:KeyInfo>${value(content)}</xenc:EncryptedData></saml:EncryptedAssertion>`
  return xml.replace(assertion, () => encrypted)
}
