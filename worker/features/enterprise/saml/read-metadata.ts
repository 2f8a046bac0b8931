import { childrenOf, elementsIn, namespaces, onlyChild, parseXml, type XmlElement } from './xml.ts'

/** What a connection takes from the metadata of a SAML identity provider. */
export interface IdpMetadata {
  entityId: string
  /** The single sign-on service with the HTTP redirect binding. */
  ssoUrl: string
  /** The single logout service with the HTTP redirect binding. */
  sloUrl: string | null
  /** Signing certificates, as the metadata has them. */
  certificates: string[]
}

/** Invalid metadata. The message is for the owner of the connection. */
export class MetadataError extends Error {}

export const maxMetadataLength = 256 * 1024
const maxCertificates = 5
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/**
 * Reads the metadata of one identity provider (SAML Metadata, sections 2.3 and 2.4.3). Its signature is not verified: its
 * origin is the owner of the connection, or an https URL that the owner names. @throws MetadataError
 */
export async function readMetadata(xml: string, now: Date): Promise<IdpMetadata> {
  const root = await parsed(xml)
  const entities = elementsIn(root).filter((one) => isMetadata(one, 'EntityDescriptor'))
  const [entity] = entities
  if (entities.length !== 1) throw new MetadataError('the document must describe one entity')
  const roles = childrenOf(entity!).filter((one) => isMetadata(one, 'IDPSSODescriptor'))
  const [role] = roles.filter((one) => protocolsOf(one).includes(namespaces.protocol))
  if (!role || roles.length !== 1) throw new MetadataError('the entity is not a SAML 2.0 identity provider')
  for (const one of [root, entity!, role]) {
    const until = one.getAttribute('validUntil')
    if (until && !(Date.parse(until) > now.getTime())) throw new MetadataError('the metadata has expired')
  }
  const ssoUrl = serviceOf(role, 'SingleSignOnService')
  if (ssoUrl === null) throw new MetadataError('no single sign-on service with the HTTP redirect binding')
  const certificates = certificatesOf(role)
  if (certificates.length === 0) throw new MetadataError('no signing certificate')
  if (certificates.length > maxCertificates) throw new MetadataError('too many signing certificates')
  const entityId = entity!.getAttribute('entityID') ?? ''
  if (!entityId || entityId.length > 1024) throw new MetadataError('no entity id')
  return { entityId, ssoUrl, sloUrl: serviceOf(role, 'SingleLogoutService'), certificates }
}

async function parsed(xml: string): Promise<XmlElement> {
  if (xml.length > maxMetadataLength) throw new MetadataError('the document is too long')
  try {
    return await parseXml(xml.replace(/^\uFEFF/, ''), 4)
  } catch (thrown) {
    throw new MetadataError(thrown instanceof Error ? thrown.message.slice(0, 200) : 'not XML')
  }
}

const isMetadata = (one: XmlElement, name: string): boolean =>
  one.localName === name && one.namespaceURI === namespaces.metadata

const protocolsOf = (role: XmlElement): string[] => (role.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/)

const serviceOf = (role: XmlElement, name: string): string | null =>
  childrenOf(role)
    .find((one) => isMetadata(one, name) && one.getAttribute('Binding') === redirectBinding)
    ?.getAttribute('Location') ?? null

/** A key without a use is for both. */
function certificatesOf(role: XmlElement): string[] {
  const keys = childrenOf(role).filter((one) => isMetadata(one, 'KeyDescriptor'))
  const infos = keys
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .map((key) => onlyChild(key, namespaces.signature, 'KeyInfo'))
  const texts = infos
    .flatMap((info) => (info ? elementsIn(info) : []))
    .filter((one) => one.localName === 'X509Certificate' && one.namespaceURI === namespaces.signature)
    .map((one) => (one.textContent ?? '').replace(/\s/g, ''))
  return [...new Set(texts)]
}
