import { describe, expect, it } from 'vitest'
import {
  type EncryptionOptions,
  encryptSaml,
  newSamlKey,
  type ResponseOptions,
  samlResponse,
  signSaml,
} from '../../../testing/outside/saml-idp.ts'
import { SamlError } from './failure.ts'
import { verifyResponse } from './verify-response.ts'

const key = newSamlKey()
const attackersKey = newSamlKey('attacker')
const [own, next] = [newSamlKey('own'), newSamlKey('next')]
const expected = {
  certificates: [key.certificate],
  issuer: 'https://idp.example.org/saml',
  audience: 'https://accounts.example.com/api/auth/sso/saml2/metadata/c1',
  recipient: 'https://accounts.example.com/api/auth/sso/saml2/acs/c1',
}
const response = (more: Partial<ResponseOptions> = {}) => samlResponse({ ...expected, ...more })
const outcome = (xml: string, privateKeys = [own.privateKey, next.privateKey]) =>
  verifyResponse(xml, { ...expected, privateKeys, now: new Date() }).then(
    ({ subject }) => subject,
    (thrown) => (thrown instanceof SamlError ? `${thrown.code}: ${thrown.message}` : String(thrown)),
  )
/** The assertion is signed, then encrypted. */
const sealed = (options: EncryptionOptions = {}, xml = signSaml(response(), key)) =>
  encryptSaml(xml, own.certificate, options)
/** The signature of the response covers the ciphertext. */
const covered = async (options: EncryptionOptions = {}, xml = response()) =>
  signSaml(await encryptSaml(xml, own.certificate, options), key, { part: 'Response' })

const assertionOf = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)![0]
const signatureOf = (xml: string) => /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(xml)![0]
const withoutSignature = (xml: string) => xml.replace(/<ds:Signature[\s\S]*?<\/ds:Signature>/, '')
const evil = (xml: string) =>
  withoutSignature(assertionOf(xml))
    .replace(/ID="_assertion\d+"/, 'ID="_evil"')
    .replace('ada@', 'victim@')
const uniform = 'saml_encrypted: the assertion could not be decrypted, or it has no valid signature'
const encryptedPart = (xml: string) => /<saml:EncryptedAssertion>[\s\S]*<\/saml:EncryptedAssertion>/.exec(xml)![0]

describe('an encrypted assertion', () => {
  it.each<EncryptionOptions>([
    { cipher: 'aes128-gcm' },
    { cipher: 'aes256-gcm', transport: 'SHA-256' },
    { cipher: 'aes128-cbc' },
    { cipher: 'aes256-cbc', transport: 'SHA-256' },
  ])('is read with %o', async (options) => {
    expect(await outcome(await covered(options))).toBe('ada@example.com')
    expect(await outcome(await covered(options, signSaml(response(), key)))).toBe('ada@example.com')
    const isCbc = options.cipher!.endsWith('cbc')
    // The errors of an altered ciphertext would reveal the plaintext of CBC.
    const only = isCbc ? 'saml_algorithm: AES-CBC needs a signature of the response' : 'ada@example.com'
    expect(await outcome(await sealed(options))).toBe(only)
  })

  it('is read with both keys of a rotation', async () => {
    const forNext = await encryptSaml(signSaml(response(), key), next.certificate)
    expect(await outcome(forNext)).toBe('ada@example.com')
    expect(await outcome(forNext, [own.privateKey])).toBe(uniform)
    expect(await outcome(forNext, [])).toBe(uniform)
  })

  it('has one error for every failure before a signature is verified', async () => {
    const good = await sealed()
    const values = [...good.matchAll(/<xenc:CipherValue>([^<]+)</g)].map(([, value]) => value!)
    const altered = (value: string) => {
      const bytes = Buffer.from(value, 'base64')
      bytes[bytes.length >> 1]! ^= 1
      return bytes.toString('base64')
    }
    const outcomes = await Promise.all(
      [
        // The key, the content, both truncated, both empty.
        good.replace(values[0]!, altered(values[0]!)),
        good.replace(values[1]!, altered(values[1]!)),
        good.replace(values[0]!, values[0]!.slice(0, 40)),
        good.replace(values[1]!, 'AAAA'),
        good.replaceAll(/<xenc:CipherValue>[^<]+</g, '<xenc:CipherValue><'),
        // A plaintext of the attacker, who has our public key: no XML, no assertion, a document type, no signature, a wrong one.
        sealed({ plaintext: 'x' }),
        sealed({ plaintext: '<a/>' }),
        sealed({ plaintext: `<!DOCTYPE r>${assertionOf(response())}` }),
        sealed({}, response()),
        sealed({}, signSaml(response(), attackersKey)),
        sealed({}, signSaml(response(), key).replace('ada@', 'victim@')),
        sealed({}, signSaml(response(), key, { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' })),
      ].map(async (xml) => outcome(await xml)),
    )
    expect(outcomes).toEqual(outcomes.map(() => uniform))
  })

  it('is refused with RSA PKCS #1 v1.5, unknown ciphers, and hashes that differ', async () => {
    const weak = /^saml_algorithm: the encryption needs/
    expect(await outcome(await sealed({ transport: 'pkcs1' }))).toMatch(weak)
    const good = await sealed({ transport: 'SHA-256' })
    expect(await outcome(good.replace('aes256-gcm', 'tripledes-cbc'))).toMatch(weak)
    expect(await outcome(good.replace('mgf1sha256', 'mgf1sha1'))).toMatch(weak)
    expect(await outcome(good.replace(/<ds:KeyInfo>[\s\S]*<\/ds:KeyInfo>/, ''))).toMatch(weak)
  })

  it.each<[string, (xml: string) => Promise<string>]>([
    [
      'a forged assertion before the encrypted one',
      async (xml) => xml.replace(encryptedPart(xml), (one) => evil(response()) + one),
    ],
    ['a forged assertion after it', async (xml) => xml.replace(encryptedPart(xml), (one) => one + evil(response()))],
    ['a second encrypted assertion', async (xml) => xml.replace(encryptedPart(xml), (one) => one + one)],
    [
      'a forged one in Extensions',
      async (xml) =>
        xml.replace('<samlp:Status>', `<samlp:Extensions>${evil(response())}</samlp:Extensions><samlp:Status>`),
    ],
    [
      'the encrypted one in Extensions',
      async (xml) => {
        const part = encryptedPart(xml)
        return xml
          .replace(part, evil(response()))
          .replace('<samlp:Status>', `<samlp:Extensions>${part}</samlp:Extensions><samlp:Status>`)
      },
    ],
  ])('does not fall for %s', async (_what, wrap) => {
    for (const xml of [await sealed(), await covered()]) {
      expect(await outcome(await wrap(xml))).toMatch(/^saml_(invalid_document|signature)/)
    }
  })

  it.each<[string, (signed: string) => string]>([
    ['XSW 3', (signed) => evil(signed) + assertionOf(signed)],
    ['XSW 4', (signed) => evil(signed).replace('</saml:Assertion>', `${assertionOf(signed)}</saml:Assertion>`)],
    [
      'XSW 5',
      (signed) =>
        evil(signed).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(signed)}`) +
        withoutSignature(assertionOf(signed)),
    ],
    [
      'XSW 6',
      (signed) =>
        evil(signed).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${signatureOf(signed).replace('</ds:Signature>', `${withoutSignature(assertionOf(signed))}</ds:Signature>`)}`,
        ),
    ],
    [
      'XSW 8',
      (signed) =>
        evil(signed).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${signatureOf(signed).replace('</ds:Signature>', `<ds:Object>${withoutSignature(assertionOf(signed))}</ds:Object></ds:Signature>`)}`,
        ),
    ],
    ['a text that ends its place', (signed) => `${assertionOf(signed)}</plaintext><plaintext>${evil(signed)}`],
    ['a forged one beside it', (signed) => assertionOf(signed) + evil(signed)],
  ])('does not fall for %s in the ciphertext', async (_what, wrap) => {
    const signed = signSaml(response(), key)
    expect(await outcome(await sealed({ plaintext: wrap(signed) }, signed))).toBe(uniform)
  })

  it('is checked as any other: audience, time, comments', async () => {
    const other = signSaml(response({ audience: 'https://other.example.com' }), key)
    expect(await outcome(await sealed({}, other))).toMatch(/^saml_audience/)
    expect(await outcome(await covered({}, response({ validFor: -200_000 })))).toMatch(/^saml_expired/)
    const commented = 'victim@example.com<!-- -->.evil.example'
    expect(await outcome(await covered({}, response({ subject: commented })))).toBe('victim@example.com.evil.example')
  })
})
