import { ecdsaMethods } from './ecdsa.ts'
import { SamlError } from './failure.ts'
import { childrenOf, namespaces, onlyChild, parseXml, type XmlElement } from './xml.ts'

const maxCharacters = 256 * 1024
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
/** Without SHA-1, HMAC and MD5. */
const signatureMethods = ['rsa', 'ecdsa'].flatMap((type) =>
  ['256', '384', '512'].map((bits) => `http://www.w3.org/2001/04/xmldsig-more#${type}-sha${bits}`),
)
const digestMethods = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']
/** The root of a document. @throws SamlError */
export async function parsed(xml: string): Promise<XmlElement> {
  if (xml.length > maxCharacters) throw new SamlError('saml_invalid_document', 'the document is too long')
  try {
    return await parseXml(xml)
  } catch (thrown) {
    throw new SamlError('saml_invalid_document', thrown instanceof Error ? thrown.message.slice(0, 200) : 'not XML')
  }
}

export const isNamed = (element: XmlElement, namespace: keyof typeof namespaces, name: string): boolean =>
  element.localName === name && element.namespaceURI === namespaces[namespace]

/** @throws SamlError */
export function requireUniqueIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap((element) =>
    ['ID', 'Id', 'id'].flatMap((name) => (element.hasAttribute(name) ? [element.getAttribute(name)!] : [])),
  )
  if (new Set(ids).size !== ids.length) throw new SamlError('saml_signature', 'two elements have the same id')
}

/** Verifies one signature. @returns the root of the canonical text that it covers @throws SamlError */
export async function verifySigned(
  xml: string,
  signature: XmlElement,
  certificates: readonly string[],
): Promise<XmlElement> {
  const { SignedXml: Verifier } = await import('xml-crypto/lib/signed-xml.js')
  const parent = signature.parentNode as XmlElement
  requireAlgorithms(signature, parent)
  for (const certificate of certificates) {
    const verifier = new Verifier({ publicCert: certificate, getCertFromKeyInfo: () => null })
    Object.assign(verifier.SignatureAlgorithms, ecdsaMethods)
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
