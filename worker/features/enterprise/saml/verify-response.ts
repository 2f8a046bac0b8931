import type { SignedXml } from 'xml-crypto/lib/signed-xml.js'
import { childrenOf, elementsIn, namespaces, onlyChild, parseXml, type XmlElement } from './xml.ts'

/**
 * Verifies a SAML 2.0 response (SAML Core, sections 2 and 3.3; SAML Profiles, section 4.1.4). Only elements of the
 * canonical text that a signature covers are read, so that wrapped, added and commented elements have no effect.
 */

/** Why a response is refused: the codes of the error redirects and of the results of tests. */
export type SamlFailure =
  | 'saml_invalid_document'
  | 'saml_signature'
  | 'saml_algorithm'
  | 'saml_encrypted'
  | 'saml_status'
  | 'saml_issuer'
  | 'saml_audience'
  | 'saml_recipient'
  | 'saml_expired'
  | 'saml_no_subject'

export class SamlError extends Error {
  constructor(
    readonly code: SamlFailure,
    detail: string,
  ) {
    super(detail)
  }
}

export interface Expected {
  /** PEM, of the identity provider. During a rollover there are several. */
  certificates: readonly string[]
  /** The entity id of the identity provider. */
  issuer: string
  /** Our entity id. */
  audience: string
  /** The URL of our assertion consumer service. */
  recipient: string
  now: Date
}

export interface Assertion {
  id: string
  subject: string
  /** The request that it answers; null for an unsolicited one. */
  inResponseTo: string | null
  attributes: Record<string, string[]>
  /** Unix time in milliseconds, with the tolerance. */
  expiresAt: number
}

/** The clocks of both sides may differ by so many milliseconds. */
const tolerance = 120_000

const maxCharacters = 256 * 1024
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
/** Without SHA-1, HMAC and MD5. */
const signatureMethods = ['256', '384', '512'].map((bits) => `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${bits}`)
const digestMethods = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** @throws SamlError */
export async function verifyResponse(xml: string, expected: Expected): Promise<Assertion> {
  const { SignedXml } = await import('xml-crypto/lib/signed-xml.js')
  const response = await parsed(xml)
  if (!isNamed(response, 'protocol', 'Response')) throw new SamlError('saml_invalid_document', 'no response')
  const all = elementsIn(response)
  requireUniqueIds(all)
  if (all.some((element) => isNamed(element, 'assertion', 'EncryptedAssertion'))) {
    throw new SamlError('saml_encrypted', 'encrypted assertions are not supported')
  }
  const signatures = all.filter((element) => isNamed(element, 'signature', 'Signature'))
  const parents = signatures.map(({ parentNode }) => parentNode)
  const assertions = all.filter((element) => isNamed(element, 'assertion', 'Assertion'))
  const [assertion] = assertions
  if (assertions.length !== 1 || assertion?.parentNode !== response) {
    throw new SamlError('saml_invalid_document', 'the response must have one assertion')
  }
  if (signatures.length === 0 || new Set(parents).size !== signatures.length) {
    throw new SamlError('saml_signature', 'the response must have one signature, or one for each of its two parts')
  }
  if (parents.some((parent) => parent !== response && parent !== assertion)) {
    throw new SamlError('saml_signature', 'a signature is at a place of its own')
  }
  // Each signature must be valid, also one that is not needed.
  const signed: XmlElement[] = []
  for (const signature of signatures) signed.push(await verifySigned(SignedXml, xml, signature, expected.certificates))
  const signedResponse = signed.find((element) => isNamed(element, 'protocol', 'Response'))
  const root = signedResponse ?? signed[0]!
  const read = signedResponse ? onlyChild(signedResponse, namespaces.assertion, 'Assertion') : root
  if (!read || !isNamed(read, 'assertion', 'Assertion')) throw new SamlError('saml_signature', 'no signed assertion')
  checkResponse(signedResponse ?? response, expected, signedResponse !== undefined)
  return readAssertion(read, expected)
}

async function parsed(xml: string): Promise<XmlElement> {
  if (xml.length > maxCharacters) throw new SamlError('saml_invalid_document', 'the document is too long')
  try {
    return await parseXml(xml)
  } catch (thrown) {
    throw new SamlError('saml_invalid_document', thrown instanceof Error ? thrown.message.slice(0, 200) : 'not XML')
  }
}

const isNamed = (element: XmlElement, namespace: keyof typeof namespaces, name: string): boolean =>
  element.localName === name && element.namespaceURI === namespaces[namespace]

function requireUniqueIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap((element) =>
    ['ID', 'Id', 'id'].flatMap((name) => (element.hasAttribute(name) ? [element.getAttribute(name)!] : [])),
  )
  if (new Set(ids).size !== ids.length) throw new SamlError('saml_signature', 'two elements have the same id')
}

/** Verifies one signature. @returns the root of the canonical text that it covers */
async function verifySigned(
  Verifier: typeof SignedXml,
  xml: string,
  signature: XmlElement,
  certificates: readonly string[],
): Promise<XmlElement> {
  const parent = signature.parentNode as XmlElement
  requireAlgorithms(signature, parent)
  for (const certificate of certificates) {
    const verifier = new Verifier({ publicCert: certificate, getCertFromKeyInfo: () => null })
    try {
      verifier.loadSignature(signature as never)
      if (!verifier.checkSignature(xml)) continue
    } catch {
      continue
    }
    const [covered, ...others] = verifier.getSignedReferences()
    if (covered === undefined || others.length > 0) break
    const root = await parsed(covered)
    if (root.localName === parent.localName && root.getAttribute('ID') === parent.getAttribute('ID')) return root
  }
  throw new SamlError('saml_signature', 'no certificate of the connection verifies the signature')
}

/** One reference, to the parent of the signature, and strong algorithms only (SAML Core, section 5.4). */
function requireAlgorithms(signature: XmlElement, parent: XmlElement): void {
  const child = (element: XmlElement | null, name: string) => element && onlyChild(element, namespaces.signature, name)
  const info = child(signature, 'SignedInfo')
  const reference = child(info, 'Reference')
  const id = parent.getAttribute('ID')
  if (!reference || !id || reference.getAttribute('URI') !== `#${id}`) {
    throw new SamlError('saml_signature', 'the signature does not cover its parent')
  }
  const transforms = child(reference, 'Transforms')
  const names = transforms ? childrenOf(transforms).map((one) => one.getAttribute('Algorithm') ?? '') : []
  const isStrong =
    child(info, 'CanonicalizationMethod')?.getAttribute('Algorithm') === exclusive &&
    signatureMethods.includes(child(info, 'SignatureMethod')?.getAttribute('Algorithm') ?? '') &&
    digestMethods.includes(child(reference, 'DigestMethod')?.getAttribute('Algorithm') ?? '') &&
    names.length <= 2 &&
    names.every((name) => name === exclusive || name === enveloped)
  if (!isStrong) throw new SamlError('saml_algorithm', 'an algorithm of the signature is not allowed')
}

function checkResponse(response: XmlElement, { issuer, recipient }: Expected, isSigned: boolean): void {
  const destination = response.getAttribute('Destination') ?? ''
  // SAML Bindings, section 3.5.5.2.
  if (destination !== recipient && (isSigned || destination !== '')) {
    throw new SamlError('saml_recipient', `the destination is ${destination}`)
  }
  const named = onlyChild(response, namespaces.assertion, 'Issuer')
  if (named && textOf(named) !== issuer) throw new SamlError('saml_issuer', `the issuer is ${textOf(named)}`)
  const status = onlyChild(response, namespaces.protocol, 'Status')
  const code = status && onlyChild(status, namespaces.protocol, 'StatusCode')
  const value = code?.getAttribute('Value') ?? ''
  if (value !== success) throw new SamlError('saml_status', `the status is ${value}`)
}

const textOf = (element: XmlElement | null): string => (element?.textContent ?? '').trim()

function readAssertion(assertion: XmlElement, { issuer, audience, recipient, now }: Expected): Assertion {
  const child = (element: XmlElement | null, name: string) => element && onlyChild(element, namespaces.assertion, name)
  const named = textOf(child(assertion, 'Issuer'))
  if (named !== issuer) throw new SamlError('saml_issuer', `the issuer is ${named}`)
  const subject = child(assertion, 'Subject')
  const nameId = child(subject, 'NameID')
  const value = textOf(nameId)
  if (!value || value.length > 512 || nameId?.getAttribute('Format') === transient) {
    throw new SamlError('saml_no_subject', 'the assertion has no lasting NameID')
  }
  const confirmation = child(subject, 'SubjectConfirmation')
  const data = child(confirmation, 'SubjectConfirmationData')
  if (confirmation?.getAttribute('Method') !== bearer || data?.getAttribute('Recipient') !== recipient) {
    throw new SamlError('saml_recipient', `the recipient is ${data?.getAttribute('Recipient') ?? 'missing'}`)
  }
  const conditions = child(assertion, 'Conditions')
  const restrictions = conditions
    ? childrenOf(conditions).filter((one) => isNamed(one, 'assertion', 'AudienceRestriction'))
    : []
  const includesUs = (restriction: XmlElement) =>
    childrenOf(restriction).some((one) => isNamed(one, 'assertion', 'Audience') && textOf(one) === audience)
  if (restrictions.length === 0 || !restrictions.every(includesUs)) {
    throw new SamlError('saml_audience', 'the audience is another service')
  }
  const ends = [data, conditions].flatMap((one) => timeOf(one, 'NotOnOrAfter') ?? [])
  const begins = [data, conditions].flatMap((one) => timeOf(one, 'NotBefore') ?? [])
  const time = now.getTime()
  const isLate = !data.hasAttribute('NotOnOrAfter') || ends.some((end) => !(time < end + tolerance))
  if (isLate || begins.some((begin) => !(time >= begin - tolerance))) {
    throw new SamlError('saml_expired', 'the assertion is not valid now')
  }
  const id = assertion.getAttribute('ID')
  if (!id) throw new SamlError('saml_invalid_document', 'the assertion has no id')
  return {
    id,
    subject: value,
    inResponseTo: data.getAttribute('InResponseTo') || null,
    attributes: attributesOf(assertion),
    expiresAt: Math.max(...ends) + tolerance,
  }
}

/** A time of an element, in milliseconds; NaN for an invalid one. */
const timeOf = (element: XmlElement | null, name: string): number | null =>
  element?.hasAttribute(name) ? Date.parse(element.getAttribute(name)!) : null

const maxAttributes = 200

function attributesOf(assertion: XmlElement): Record<string, string[]> {
  const statements = childrenOf(assertion).filter((one) => isNamed(one, 'assertion', 'AttributeStatement'))
  const attributes = statements.flatMap(childrenOf).filter((one) => isNamed(one, 'assertion', 'Attribute'))
  return Object.fromEntries(
    attributes.slice(0, maxAttributes).map((one) => [
      one.getAttribute('Name') ?? '',
      childrenOf(one)
        .filter((value) => isNamed(value, 'assertion', 'AttributeValue'))
        .map(textOf),
    ]),
  )
}
