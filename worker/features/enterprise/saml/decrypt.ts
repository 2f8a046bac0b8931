import { Buffer } from 'node:buffer'
import { createDecipheriv } from 'node:crypto'
import { SamlError } from './failure.ts'
import { elementsIn, namespaces, onlyChild, type XmlElement } from './xml.ts'

/**
 * Decrypts the assertion of a response (XML Encryption 1.1, sections 3, 5.2 and 5.5.2): AES with a key that RSA-OAEP
 * transports. RSA PKCS #1 v1.5 is refused, because its padding errors reveal the key. AES-CBC is refused unless the
 * signature of the response covers the ciphertext: otherwise the errors of an altered ciphertext reveal the plaintext.
 */

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'

/** Names and lengths (bits) of the ciphers. */
const ciphers: Readonly<Record<string, { name: 'AES-GCM' | 'AES-CBC'; length: number }>> = {
  [`${xmlenc11}aes128-gcm`]: { name: 'AES-GCM', length: 128 },
  [`${xmlenc11}aes256-gcm`]: { name: 'AES-GCM', length: 256 },
  [`${xmlenc}aes128-cbc`]: { name: 'AES-CBC', length: 128 },
  [`${xmlenc}aes256-cbc`]: { name: 'AES-CBC', length: 256 },
}

const hashes: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'SHA-1',
  [`${xmlenc}sha256`]: 'SHA-256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'SHA-384',
  [`${xmlenc}sha512`]: 'SHA-512',
}
const masks: Readonly<Record<string, string>> = {
  [`${xmlenc11}mgf1sha1`]: 'SHA-1',
  [`${xmlenc11}mgf1sha256`]: 'SHA-256',
  [`${xmlenc11}mgf1sha384`]: 'SHA-384',
  [`${xmlenc11}mgf1sha512`]: 'SHA-512',
}

/** Encrypted keys of one assertion that are tried: an identity provider that knows both keys of a rotation has two. */
const maxEncryptedKeys = 2

export const undecryptable = () =>
  new SamlError('saml_encrypted', 'the assertion could not be decrypted, or it has no valid signature')

/**
 * The plaintext of an EncryptedAssertion. All failures have one error, so that it reveals nothing about the key.
 * @param isSigned whether a verified signature covers the ciphertext
 * @throws SamlError `saml_algorithm` for what the document names, otherwise `saml_encrypted`
 */
export async function decryptAssertion(
  encrypted: XmlElement,
  privateKeys: readonly string[],
  isSigned: boolean,
): Promise<string> {
  const data = onlyChild(encrypted, namespaces.encryption, 'EncryptedData')
  const cipher = ciphers[methodOf(data)?.getAttribute('Algorithm') ?? '']
  const transported = elementsIn(encrypted).filter(
    (one) => one.localName === 'EncryptedKey' && one.namespaceURI === namespaces.encryption,
  )
  const hashNames = transported.map(hashOf)
  if (!data || !cipher || hashNames.length === 0 || hashNames.some((hash) => hash === null)) {
    throw new SamlError('saml_algorithm', 'the encryption needs AES-GCM or AES-CBC with RSA-OAEP, and equal hashes')
  }
  if (cipher.name === 'AES-CBC' && !isSigned) {
    throw new SamlError('saml_algorithm', 'AES-CBC needs a signature of the response')
  }
  const ciphertext = cipherValueOf(data)
  for (const [index, key] of transported.slice(0, maxEncryptedKeys).entries()) {
    for (const privateKey of privateKeys) {
      const content = await decrypted(ciphertext, cipher, {
        key: cipherValueOf(key),
        hash: hashNames[index]!,
        privateKey,
      })
      if (content !== null) return content
    }
  }
  throw undecryptable()
}

interface TransportedKey {
  key: Uint8Array<ArrayBuffer>
  hash: string
  privateKey: string
}

async function decrypted(
  ciphertext: Uint8Array<ArrayBuffer>,
  { name, length }: { name: string; length: number },
  { key, hash, privateKey }: TransportedKey,
): Promise<string | null> {
  try {
    const pkcs8 = Buffer.from(privateKey.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
    const rsa = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'RSA-OAEP', hash }, false, ['decrypt'])
    const raw = await crypto.subtle.decrypt({ name: 'RSA-OAEP' }, rsa, key)
    if (raw.byteLength * 8 !== length) return null
    const plain = name === 'AES-GCM' ? await openGcm(raw, ciphertext) : openCbc(Buffer.from(raw), ciphertext)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(plain)
  } catch {
    return null
  }
}

async function openGcm(raw: ArrayBuffer, ciphertext: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const aes = await crypto.subtle.importKey('raw', raw, { name: 'AES-GCM' }, false, ['decrypt'])
  return crypto.subtle.decrypt({ name: 'AES-GCM', iv: ciphertext.slice(0, 12) }, aes, ciphertext.slice(12))
}

const block = 16

/** The last byte of the padding is its length, the others have any value (XML Encryption, section 5.2.1). */
function openCbc(raw: Buffer, ciphertext: Uint8Array): Buffer {
  const decipher = createDecipheriv(`aes-${raw.length * 8}-cbc`, raw, ciphertext.subarray(0, block))
  decipher.setAutoPadding(false)
  const padded = Buffer.concat([decipher.update(ciphertext.subarray(block)), decipher.final()])
  const padding = padded.at(-1) ?? 0
  if (padding < 1 || padding > block) throw new Error('padding')
  return padded.subarray(0, padded.length - padding)
}

const methodOf = (element: XmlElement | null): XmlElement | null =>
  element && onlyChild(element, namespaces.encryption, 'EncryptionMethod')

/**
 * The hash of RSA-OAEP, which is also that of its mask generation, because WebCrypto has one name for both. Null for
 * another key transport.
 */
function hashOf(key: XmlElement): string | null {
  const method = methodOf(key)
  const algorithm = method?.getAttribute('Algorithm')
  const digest = method && onlyChild(method, namespaces.signature, 'DigestMethod')
  const hash = digest ? (hashes[digest.getAttribute('Algorithm') ?? ''] ?? null) : 'SHA-1'
  if (algorithm === `${xmlenc}rsa-oaep-mgf1p`) return hash === 'SHA-1' ? hash : null
  if (algorithm !== `${xmlenc11}rsa-oaep`) return null
  const mask = method && onlyChild(method, xmlenc11, 'MGF')
  return hash === (mask ? masks[mask.getAttribute('Algorithm') ?? ''] : 'SHA-1') ? hash : null
}

function cipherValueOf(element: XmlElement): Uint8Array<ArrayBuffer> {
  const data = onlyChild(element, namespaces.encryption, 'CipherData')
  const value = data && onlyChild(data, namespaces.encryption, 'CipherValue')
  return new Uint8Array(Buffer.from(value?.textContent ?? '', 'base64'))
}
