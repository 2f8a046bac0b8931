import type { UpstreamSession } from '../../../identity/model/sessions.table.ts'
import { clockTolerance } from '../../../kit/foreign-jwt.ts'
import { ms } from '../../../kit/time.ts'
import { decryptAssertion, undecryptable } from './decrypt.ts'
import { SamlError } from './failure.ts'
import { escaped } from './messages.ts'
import { isNamed, parsed, requireUniqueIds, verifySigned } from './verify-signature.ts'
import { childrenOf, elementsIn, namespaces, onlyChild, type XmlElement } from './xml.ts'

/**
 * Verifies a SAML 2.0 response (SAML Core, sections 2 and 3.3; SAML Profiles, section 4.1.4). Only elements of the
 * canonical text that a signature covers are read, so that wrapped, added and commented elements have no effect.
 */

export interface Expected {
  /** PEM, of the identity provider. During a rollover there are several. */
  certificates: readonly string[]
  /** The entity id of the identity provider. */
  issuer: string
  /** Our entity id. */
  audience: string
  /** The URL of our assertion consumer service. */
  recipient: string
  /** Ours, in PEM, which decrypt assertions. */
  privateKeys?: readonly string[]
  now: Date
}

/** One element, or several ones with the same name: Keycloak sends an element for each value. */
export interface SamlAttribute {
  name: string
  friendlyName: string | null
  /** Without empty ones. */
  values: string[]
}

export interface Assertion {
  id: string
  subject: string
  /** The request that it answers; null for an unsolicited one. */
  inResponseTo: string | null
  attributes: SamlAttribute[]
  /** For its logout. */
  upstream: UpstreamSession
  /** Unix time in milliseconds, with the tolerance. */
  expiresAt: number
}

const tolerance = ms(clockTolerance)

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** @throws SamlError */
export async function verifyResponse(xml: string, expected: Expected): Promise<Assertion> {
  const response = await parsed(xml)
  if (!isNamed(response, 'protocol', 'Response')) throw new SamlError('saml_invalid_document', 'no response')
  const all = elementsIn(response)
  requireUniqueIds(all)
  const encrypted = all.filter((element) => isNamed(element, 'assertion', 'EncryptedAssertion'))
  const assertions = all.filter((element) => isNamed(element, 'assertion', 'Assertion'))
  const [assertion] = [...assertions, ...encrypted]
  if (assertions.length + encrypted.length !== 1 || assertion?.parentNode !== response) {
    throw new SamlError('saml_invalid_document', 'the response must have one assertion')
  }
  const signatures = signaturesIn(all)
  if (signatures.some(({ parentNode }) => parentNode !== response && (encrypted[0] || parentNode !== assertion))) {
    throw new SamlError('saml_signature', 'a signature is at a place of its own')
  }
  // Each signature must be valid, also one that is not needed.
  const signed: XmlElement[] = []
  for (const signature of signatures) signed.push(await verifySigned(xml, signature, expected.certificates))
  const signedResponse = signed.find((element) => isNamed(element, 'protocol', 'Response')) ?? null
  if (encrypted.length > 0) return readEncrypted(signedResponse, response, expected)
  if (signed.length === 0) throw new SamlError('saml_signature', 'the response has no signature')
  const read = signedResponse ? onlyChild(signedResponse, namespaces.assertion, 'Assertion') : signed[0]!
  if (!read || !isNamed(read, 'assertion', 'Assertion')) throw new SamlError('saml_signature', 'no signed assertion')
  checkResponse(signedResponse ?? response, expected, signedResponse !== null)
  return readAssertion(read, expected)
}

/** The signatures of a document. @throws SamlError for two at one place */
function signaturesIn(elements: readonly XmlElement[]): XmlElement[] {
  const signatures = elements.filter((element) => isNamed(element, 'signature', 'Signature'))
  if (new Set(signatures.map(({ parentNode }) => parentNode)).size !== signatures.length) {
    throw new SamlError('saml_signature', 'an element has two signatures')
  }
  return signatures
}

/**
 * An encrypted assertion: it has a signature of its own, or that of the response covers its ciphertext. Until a signature is
 * verified, all failures have one error.
 */
async function readEncrypted(
  signedResponse: XmlElement | null,
  response: XmlElement,
  expected: Expected,
): Promise<Assertion> {
  const root = signedResponse ?? response
  checkResponse(root, expected, signedResponse !== null)
  const encrypted = onlyChild(root, namespaces.assertion, 'EncryptedAssertion')
  if (!encrypted) throw new SamlError('saml_signature', 'no signed assertion')
  const text = await decryptAssertion(encrypted, expected.privateKeys ?? [], signedResponse !== null)
  let assertion: XmlElement
  try {
    assertion = await openedAssertion(inScope(encrypted, text), expected, signedResponse !== null)
  } catch (thrown) {
    if (signedResponse || !(thrown instanceof SamlError)) throw thrown
    throw undecryptable()
  }
  return readAssertion(assertion, expected)
}

async function openedAssertion(xml: string, { certificates }: Expected, isSigned: boolean): Promise<XmlElement> {
  const root = await parsed(xml)
  const all = elementsIn(root)
  requireUniqueIds(all)
  const [assertion, ...others] = all.filter((element) => isNamed(element, 'assertion', 'Assertion'))
  if (others.length > 0 || childrenOf(root).length !== 1 || assertion?.parentNode !== root) {
    throw new SamlError('saml_invalid_document', 'the plaintext must be one assertion')
  }
  const [signature, ...more] = signaturesIn(all)
  if (!signature && isSigned) return assertion
  if (more.length > 0 || signature?.parentNode !== assertion) {
    throw new SamlError('saml_signature', 'the encrypted assertion has no signature')
  }
  return verifySigned(xml, signature, certificates)
}

/** The plaintext with the namespaces of its place, which it may use without declaring them. */
function inScope(place: XmlElement, text: string): string {
  const declared = new Map<string, string>()
  for (let at: XmlElement | null = place; at?.attributes; at = at.parentNode as XmlElement | null) {
    for (const { name, value } of Array.from(at.attributes)) {
      if (/^xmlns(:|$)/.test(name) && !declared.has(name)) declared.set(name, value)
    }
  }
  const attributes = [...declared].map(([name, value]) => ` ${name}="${escaped(value)}"`)
  return `<plaintext${attributes.join('')}>${text}</plaintext>`
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
  // One confirmation is sufficient (SAML Core, section 2.4.1.1; SAML Profiles, section 4.1.4.3).
  const confirmed = (subject ? childrenOf(subject) : [])
    .filter((one) => isNamed(one, 'assertion', 'SubjectConfirmation') && one.getAttribute('Method') === bearer)
    .map((one) => child(one, 'SubjectConfirmationData'))
  const data = confirmed.find((one) => one?.getAttribute('Recipient') === recipient)
  if (!data) {
    throw new SamlError('saml_recipient', `the recipient is ${confirmed[0]?.getAttribute('Recipient') ?? 'missing'}`)
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
    upstream: {
      subject: value,
      format: nameId!.getAttribute('Format') || null,
      nameQualifier: nameId!.getAttribute('NameQualifier') || null,
      spNameQualifier: nameId!.getAttribute('SPNameQualifier') || null,
      sessionIndex: sessionIndexOf(assertion),
    },
    expiresAt: Math.max(...ends) + tolerance,
  }
}

/** The first session index, if it is short enough to be stored. */
function sessionIndexOf(assertion: XmlElement): string | null {
  const statements = childrenOf(assertion).filter((one) => isNamed(one, 'assertion', 'AuthnStatement'))
  const index = statements.map((one) => one.getAttribute('SessionIndex')).find(Boolean) ?? null
  return index !== null && index.length <= 512 ? index : null
}

/** A time of an element, in milliseconds; NaN for an invalid one. */
const timeOf = (element: XmlElement | null, name: string): number | null =>
  element?.hasAttribute(name) ? Date.parse(element.getAttribute(name)!) : null

const maxAttributes = 1000

function attributesOf(assertion: XmlElement): SamlAttribute[] {
  const statements = childrenOf(assertion).filter((one) => isNamed(one, 'assertion', 'AttributeStatement'))
  const elements = statements.flatMap(childrenOf).filter((one) => isNamed(one, 'assertion', 'Attribute'))
  const attributes = new Map<string, SamlAttribute>()
  for (const one of elements.slice(0, maxAttributes)) {
    const name = (one.getAttribute('Name') ?? '').trim()
    const known = attributes.get(name) ?? { name, friendlyName: null, values: [] }
    known.friendlyName ??= one.getAttribute('FriendlyName')?.trim() || null
    known.values.push(...valuesOf(one))
    attributes.set(name, known)
  }
  return [...attributes.values()]
}

/** The values of an attribute without empty ones and null (SAML Core, section 2.7.3.1.1). */
const valuesOf = (attribute: XmlElement): string[] =>
  childrenOf(attribute)
    .filter((one) => isNamed(one, 'assertion', 'AttributeValue') && !isNil(one))
    .map(textOf)
    .filter((text) => text !== '')

/** `xsi:nil`. */
const isNil = (element: XmlElement): boolean =>
  Array.from(element.attributes).some(({ name, value }) => /(^|:)nil$/.test(name) && /^(true|1)$/.test(value))
