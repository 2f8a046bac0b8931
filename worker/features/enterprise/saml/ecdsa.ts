import { Buffer } from 'node:buffer'
import { createVerify, X509Certificate } from 'node:crypto'

/**
 * ECDSA for the library of XML signatures (RFC 6931, section 2.3.6). Its value in XML is r and s, each as long as the
 * order of the curve; node:crypto reads them as a DER sequence (RFC 3279, section 2.2.3).
 */
export const ecdsaMethods = Object.fromEntries(
  (['256', '384', '512'] as const).map((bits) => [
    `http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha${bits}`,
    algorithmOf(`SHA${bits}`, `http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha${bits}`),
  ]),
)

function algorithmOf(hash: string, name: string) {
  return class {
    getAlgorithmName = () => name
    verifySignature = (text: string, certificate: string, value: string) =>
      verifyEcdsa(hash, text, certificate, Buffer.from(value, 'base64'))
  }
}

/** @param certificate in PEM @param value r and s @throws for a certificate without an EC key */
export function verifyEcdsa(hash: string, text: string, certificate: string, value: Uint8Array): boolean {
  const { publicKey } = new X509Certificate(certificate)
  if (publicKey.asymmetricKeyType !== 'ec') return false
  return createVerify(hash).update(text).verify(publicKey, sequenceOf(value))
}

/** r and s as a DER sequence of two integers. */
function sequenceOf(value: Uint8Array): Buffer {
  const half = value.length / 2
  const content = Buffer.concat([integerOf(value.subarray(0, half)), integerOf(value.subarray(half))])
  const size = content.length < 128 ? [content.length] : [0x81, content.length]
  return Buffer.concat([Buffer.from([0x30, ...size]), content])
}

function integerOf(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first < 0 ? new Uint8Array([0]) : bytes.subarray(first)
  const sign = digits[0]! >= 0x80 ? [0] : []
  return Buffer.from([0x02, digits.length + sign.length, ...sign, ...digits])
}
