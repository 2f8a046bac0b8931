import { Buffer } from 'node:buffer'
import { createSign, createVerify, X509Certificate } from 'node:crypto'
import { verifyEcdsa } from './ecdsa.ts'

/** The HTTP redirect binding with signed queries (SAML Bindings, section 3.4.4.1). */

export type MessageKind = 'SAMLRequest' | 'SAMLResponse'

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const rsaSha256 = `${more}rsa-sha256`
/** Without SHA-1. */
const algorithm = /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#(rsa|ecdsa)-sha(256|384|512)$/

/** @param privateKey in PEM; null for a message without a signature @returns the URL with the message in its query */
export async function redirectUrl(
  destination: string,
  kind: MessageKind,
  message: string,
  relayState: string | null,
  privateKey: string | null,
): Promise<string> {
  const deflated = new Response(new Blob([message]).stream().pipeThrough(new CompressionStream('deflate-raw')))
  const parameter = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`
  const parts = [parameter(kind, Buffer.from(await deflated.arrayBuffer()).toString('base64'))]
  if (relayState !== null) parts.push(parameter('RelayState', relayState))
  if (privateKey !== null) {
    parts.push(parameter('SigAlg', rsaSha256))
    const signature = createSign('RSA-SHA256').update(parts.join('&')).sign(privateKey, 'base64')
    parts.push(parameter('Signature', signature))
  }
  const [base, fragment] = destination.split('#')
  return `${base}${base!.includes('?') ? '&' : '?'}${parts.join('&')}${fragment === undefined ? '' : `#${fragment}`}`
}

/**
 * Whether a certificate verifies the query of a message. The signature covers the text of the query as it was sent, so
 * that a parameter that occurs twice is refused.
 * @param query without the question mark
 */
export function isSignedQuery(query: string, kind: MessageKind, certificates: readonly string[]): boolean {
  const raw = new Map<string, string>()
  for (const part of query.split('&')) {
    const name = part.split('=', 1)[0]!
    if (raw.has(name)) return false
    raw.set(name, part)
  }
  const parameter = (name: string) => new URLSearchParams(raw.get(name) ?? '').get(name) ?? ''
  const [, type, bits] = algorithm.exec(parameter('SigAlg')) ?? []
  const signature = Buffer.from(parameter('Signature'), 'base64')
  const text = [kind, 'RelayState', 'SigAlg'].flatMap((name) => raw.get(name) ?? []).join('&')
  if (!type || signature.length === 0 || !raw.has(kind)) return false
  return certificates.some((certificate) => {
    try {
      if (type === 'ecdsa') return verifyEcdsa(`SHA${bits}`, text, certificate, signature)
      const { publicKey } = new X509Certificate(certificate)
      if (publicKey.asymmetricKeyType !== 'rsa') return false
      return createVerify(`RSA-SHA${bits}`).update(text).verify(publicKey, signature)
    } catch {
      return false
    }
  })
}

const maxInflated = 64 * 1024

/** The message of a redirect. @throws for a message that is not deflated, or too long */
export async function inflated(base64: string): Promise<string> {
  const stream = new Blob([Buffer.from(base64, 'base64')]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let text = ''
  // The size counts while the text is read, so that a short message cannot expand without a limit.
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxInflated) throw new Error('the message is too long')
  }
  return text + decoder.decode()
}
