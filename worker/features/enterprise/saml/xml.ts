/** The used part of a DOM element. The library's types need the DOM of browsers. */
export interface XmlElement {
  readonly nodeType: number
  readonly localName: string
  readonly namespaceURI: string | null
  readonly parentNode: unknown
  readonly childNodes: ArrayLike<XmlElement>
  readonly textContent: string | null
  readonly attributes: ArrayLike<{ name: string; value: string }>
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
}

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const

/** Document types and entities, and processing instructions other than the declaration. */
const forbidden = /<!(?!--|\[CDATA\[)|<\?(?!xml\s)/i

/**
 * The work of the signature's library grows with the square of these numbers, and a visitor chooses the document. A
 * response with 500 groups has about 600 elements.
 */
const limits = { tags: 1600, attributes: 2000, depth: 40 }

const hasMore = (xml: string, sign: string, limit: number): boolean => xml.split(sign, limit + 2).length - 1 > limit

/**
 * Parses a document without a document type. @param scale multiplies the limits, for documents without signatures
 * @returns its root
 * @throws Error for anything that is not well-formed
 */
export async function parseXml(xml: string, scale = 1): Promise<XmlElement> {
  if (forbidden.test(xml)) throw new Error('document types and processing instructions are not allowed')
  if (hasMore(xml, '<', limits.tags * scale) || hasMore(xml, '=', limits.attributes * scale))
    throw new Error('too many elements')
  const { DOMParser } = await import('@xmldom/xmldom/lib/dom-parser.js')
  const errorHandler = (_level: string, message: unknown) => {
    throw new Error(String(message))
  }
  const document = new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml') as {
    documentElement: XmlElement | null
    childNodes: ArrayLike<XmlElement>
  }
  const roots = Array.from(document.childNodes).filter(({ nodeType }) => nodeType === element)
  if (!document.documentElement || roots.length !== 1) throw new Error('the document has no single root')
  if (isDeeper(document.documentElement)) throw new Error('the elements are nested too deeply')
  return document.documentElement
}

function isDeeper(root: XmlElement): boolean {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === limits.depth) return true
    level = level.flatMap(childrenOf)
  }
  return false
}

/** Node.ELEMENT_NODE. */
const element = 1

export const childrenOf = (parent: XmlElement): XmlElement[] =>
  Array.from(parent.childNodes).filter(({ nodeType }) => nodeType === element)

/** The element and all elements below it, without recursion. */
export function elementsIn(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  for (const next = [root]; next.length > 0; ) {
    const one = next.pop()!
    found.push(one)
    next.push(...childrenOf(one))
  }
  return found
}

/** The child with a name, if there is exactly one. */
export function onlyChild(parent: XmlElement, namespace: string, name: string): XmlElement | null {
  const found = childrenOf(parent).filter((one) => one.localName === name && one.namespaceURI === namespace)
  return found.length === 1 ? found[0]! : null
}
