import { clockTolerance } from '../../../kit/foreign-jwt.ts'
import { ms } from '../../../kit/time.ts'
import { SamlError } from './failure.ts'
import { inflated, isSignedQuery } from './redirect-binding.ts'
import { isNamed, parsed, requireUniqueIds, verifySigned } from './verify-signature.ts'
import { childrenOf, elementsIn, namespaces, onlyChild, type XmlElement } from './xml.ts'

/** Verifies a LogoutRequest of an identity provider (SAML Core, section 3.7.1; SAML Profiles, section 4.4.4.1). */

export interface LogoutRequest {
  id: string
  subject: string
  /** Empty: all sessions of the subject. */
  sessionIndexes: string[]
}

export interface ExpectedLogout {
  /** PEM, of the identity provider. */
  certificates: readonly string[]
  /** The entity id of the identity provider. */
  issuer: string
  /** The URL of our single logout service. */
  destination: string
  now: Date
}

/** The message in its binding: the query of a redirect, or the decoded document of a form. */
export type BoundMessage = { query: string; message: string } | { document: string }

/** A request is accepted for so many milliseconds after its issue; its id is used for longer. */
const maxAge = 600_000
const tolerance = ms(clockTolerance)
const maxIndexes = 50

/** A verified request; only what the signature covers is read. @throws SamlError */
export async function verifyLogoutRequest(bound: BoundMessage, expected: ExpectedLogout): Promise<LogoutRequest> {
  const request = 'query' in bound ? await fromRedirect(bound, expected) : await fromForm(bound.document, expected)
  if (!isNamed(request, 'protocol', 'LogoutRequest')) throw new SamlError('saml_invalid_document', 'no LogoutRequest')
  const issuer = textOf(onlyChild(request, namespaces.assertion, 'Issuer'))
  if (issuer !== expected.issuer) throw new SamlError('saml_issuer', `the issuer is ${issuer}`)
  const destination = request.getAttribute('Destination')
  if (destination !== expected.destination) {
    throw new SamlError('saml_recipient', `the destination is ${destination ?? 'missing'}`)
  }
  requireTime(request, expected.now.getTime())
  const id = request.getAttribute('ID')
  const subject = textOf(onlyChild(request, namespaces.assertion, 'NameID'))
  if (!id || id.length > 512) throw new SamlError('saml_invalid_document', 'the request has no id')
  if (!subject || subject.length > 512) throw new SamlError('saml_no_subject', 'the request has no NameID')
  const sessionIndexes = childrenOf(request)
    .filter((one) => isNamed(one, 'protocol', 'SessionIndex'))
    .map(textOf)
  if (sessionIndexes.length > maxIndexes) throw new SamlError('saml_invalid_document', 'too many session indexes')
  return { id, subject, sessionIndexes }
}

const textOf = (element: XmlElement | null): string => (element?.textContent ?? '').trim()

function requireTime(request: XmlElement, now: number): void {
  const issued = Date.parse(request.getAttribute('IssueInstant') ?? '')
  const end = request.hasAttribute('NotOnOrAfter') ? Date.parse(request.getAttribute('NotOnOrAfter')!) : issued + maxAge
  if (!(issued <= now + tolerance && issued >= now - maxAge && now < end + tolerance)) {
    throw new SamlError('saml_expired', 'the request is not valid now')
  }
}

/** The signature covers the query, and with it the whole message. */
async function fromRedirect(
  { query, message }: { query: string; message: string },
  { certificates }: ExpectedLogout,
): Promise<XmlElement> {
  if (!isSignedQuery(query, 'SAMLRequest', certificates)) {
    throw new SamlError('saml_signature', 'no certificate of the connection verifies the query')
  }
  const text = await inflated(message).catch(() => {
    throw new SamlError('saml_invalid_document', 'the message is not deflated')
  })
  return parsed(text)
}

async function fromForm(document: string, { certificates }: ExpectedLogout): Promise<XmlElement> {
  const root = await parsed(document)
  const all = elementsIn(root)
  requireUniqueIds(all)
  const [signature, ...others] = all.filter((one) => isNamed(one, 'signature', 'Signature'))
  if (others.length > 0 || signature?.parentNode !== root) {
    throw new SamlError('saml_signature', 'the request must have one signature')
  }
  return verifySigned(document, signature, certificates)
}
