import { describe, expect, it } from 'vitest'
import {
  ecdsaSha256,
  newSamlKey,
  type ResponseOptions,
  type SigningOptions,
  samlResponse,
  signSaml,
} from '../../../testing/outside/saml-idp.ts'
import { SamlError } from './failure.ts'
import { verifyResponse } from './verify-response.ts'

const key = newSamlKey()
const attackersKey = newSamlKey('attacker')
const expected = {
  certificates: [key.certificate],
  issuer: 'https://idp.example.org/saml',
  audience: 'https://accounts.example.com/api/auth/sso/saml2/metadata/c1',
  recipient: 'https://accounts.example.com/api/auth/sso/saml2/acs/c1',
}

const response = (more: Partial<ResponseOptions> = {}) => samlResponse({ ...expected, ...more })
const signed = (more: Partial<ResponseOptions> = {}, signing: SigningOptions = {}) =>
  signSaml(response(more), key, signing)
const verify = (xml: string, certificates = expected.certificates) =>
  verifyResponse(xml, { ...expected, certificates, now: new Date() })

/** The code of the refusal; the subject of a response that is accepted. */
const outcome = (xml: string, certificates?: string[]) =>
  verify(xml, certificates).then(
    ({ subject }) => subject,
    (thrown) => (thrown instanceof SamlError ? thrown.code : String(thrown)),
  )

const assertionOf = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)![0]
const signatureOf = (xml: string) => /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(xml)![0]
const withoutSignature = (xml: string) => xml.replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '')
/** The assertion of an attacker, without a signature. */
const evil = (xml: string, id = '_evil') =>
  withoutSignature(assertionOf(xml))
    .replace(/ID="_assertion\d+"/, `ID="${id}"`)
    .replace('ada@', 'victim@')
const inResponse = (xml: string, content: string) => xml.replace(assertionOf(xml), content)

describe('a response', () => {
  it('is read where it, its assertion or both are signed, also during a rollover of certificates', async () => {
    for (const part of ['Assertion', 'Response'] as const)
      expect(await outcome(signed({}, { part }))).toBe('ada@example.com')
    const both = signSaml(signed(), key, { part: 'Response' })
    expect(await outcome(both)).toBe('ada@example.com')
    expect(await outcome(signed(), [attackersKey.certificate, key.certificate])).toBe('ada@example.com')
    const elliptic = newSamlKey('ec', undefined, 'ec')
    const ecdsa = signSaml(response(), elliptic, { signature: ecdsaSha256 })
    expect(await outcome(ecdsa, [key.certificate, elliptic.certificate])).toBe('ada@example.com')
    expect(await outcome(ecdsa.replace('ada@', 'eve@'), [elliptic.certificate])).toBe('saml_signature')
    expect(await outcome(ecdsa, [newSamlKey('other', undefined, 'ec').certificate, key.certificate])).toBe(
      'saml_signature',
    )
    const attributes = { groups: ['a', 'b <c>'], email: ['ada@example.com'] }
    expect(await verify(signed({ attributes }))).toMatchObject({
      attributes: Object.entries(attributes).map(([name, values]) => ({ name, values, friendlyName: null })),
      inResponseTo: '_request',
    })
  })

  it('is refused with a wrong key, without a signature, with an altered or a second one', async () => {
    expect(await outcome(signSaml(response(), attackersKey))).toBe('saml_signature')
    expect(await outcome(response())).toBe('saml_signature')
    expect(await outcome(withoutSignature(signed()))).toBe('saml_signature')
    expect(await outcome(signed().replace('ada@example.com', 'victim@example.com'))).toBe('saml_signature')
    // A valid signature of the assertion, and one of the response with the key of the attacker.
    expect(await outcome(signSaml(signed(), attackersKey, { part: 'Response' }))).toBe('saml_signature')
    const twice = signed()
    expect(await outcome(twice.replace(signatureOf(twice), signatureOf(twice).repeat(2)))).toBe('saml_signature')
  })

  it.each<[string, (xml: string) => string]>([
    [
      'XSW 1: a forged response around the signed one',
      (xml) => {
        const original = withoutSignature(xml)
        const forged = original
          .replace('ada@', 'victim@')
          .replace(/ID="_response\d+"/, 'ID="_evil"')
          .replace(/ID="_assertion\d+"/, 'ID="_evil2"')
        const signature = signatureOf(xml).replace('</ds:Signature>', `${original}</ds:Signature>`)
        return forged.replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
      },
    ],
    [
      'XSW 2: the same, with a detached signature before the signed one',
      (xml) => {
        const original = withoutSignature(xml)
        const forged = original
          .replace('ada@', 'victim@')
          .replace(/ID="_response\d+"/, 'ID="_evil"')
          .replace(/ID="_assertion\d+"/, 'ID="_evil2"')
        return forged.replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}${original}`)
      },
    ],
    ['XSW 3: a forged assertion before the signed one', (xml) => inResponse(xml, evil(xml) + assertionOf(xml))],
    [
      'XSW 4: the signed assertion inside a forged one',
      (xml) => inResponse(xml, evil(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`)),
    ],
    [
      'XSW 5: a forged assertion with the signature, and the signed one after it',
      (xml) =>
        inResponse(
          xml,
          evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`) + withoutSignature(assertionOf(xml)),
        ),
    ],
    [
      'XSW 6: the signed assertion inside the signature of a forged one',
      (xml) => {
        const signature = signatureOf(xml).replace(
          '</ds:Signature>',
          `${withoutSignature(assertionOf(xml))}</ds:Signature>`,
        )
        return inResponse(xml, evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${signature}`))
      },
    ],
    [
      'XSW 7: a forged assertion in Extensions',
      (xml) => xml.replace('<samlp:Status>', `<samlp:Extensions>${evil(xml)}</samlp:Extensions><samlp:Status>`),
    ],
    [
      'XSW 8: the signed assertion in an Object of the signature',
      (xml) => {
        const object = `<ds:Object>${withoutSignature(assertionOf(xml))}</ds:Object>`
        const signature = signatureOf(xml).replace('</ds:Signature>', `${object}</ds:Signature>`)
        return inResponse(xml, evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${signature}`))
      },
    ],
    [
      'the same id for both',
      (xml) => {
        const id = /ID="(_assertion\d+)"/.exec(xml)![1]!
        return inResponse(xml, evil(xml, id) + assertionOf(xml))
      },
    ],
  ])('does not fall for %s', async (_name, wrap) => {
    for (const part of ['Assertion', 'Response'] as const) {
      const wrapped = wrap(signed({}, { part }))
      expect(await outcome(wrapped)).toMatch(/^saml_(signature|invalid_document)$/)
    }
  })

  it('reads a NameID with a comment as a whole, and refuses document types, entities and instructions', async () => {
    const commented = 'victim@example.com<!-- -->.evil.example'
    expect(await outcome(signed({ subject: commented }))).toBe('victim@example.com.evil.example')
    const doctype = '<!DOCTYPE r [<!ENTITY e "victim@example.com">]>'
    for (const bad of [
      doctype + signed(),
      `<!doctype r>${signed()}`,
      `<?php x?>${signed()}`,
      '<a',
      '',
      `${signed()}<b/>`,
    ]) {
      expect(await outcome(bad)).toBe('saml_invalid_document')
    }
    expect(await outcome(`${'<a>'.repeat(60_000)}`)).toBe('saml_invalid_document')
    const attributes = Array.from({ length: 2000 }, (_, index) => `a${index}=""`).join(' ')
    const many = (inner: string) => signed().replace('</samlp:Response>', `${inner}</samlp:Response>`)
    for (const inner of ['<a/>'.repeat(1700), `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`, `<a ${attributes}/>`]) {
      expect(await outcome(many(inner))).toBe('saml_invalid_document')
    }
    expect(await outcome(' '.repeat(300_000))).toBe('saml_invalid_document')
  })

  it.each<[string, string, Partial<ResponseOptions>]>([
    ['audience', 'saml_audience', { audience: 'https://accounts.example.com/api/auth/sso/saml2/metadata/c2' }],
    ['recipient', 'saml_recipient', { recipient: `${expected.recipient}2`, destination: expected.recipient }],
    ['destination', 'saml_recipient', { destination: 'https://other.example.com/acs' }],
    ['issuer', 'saml_issuer', { issuer: 'https://evil.example.org' }],
    ['status', 'saml_status', { status: 'Responder' }],
    ['end', 'saml_expired', { validFor: -70_000 }],
    ['beginning', 'saml_expired', { validIn: 70_000 }],
    ['subject', 'saml_no_subject', { subject: '' }],
  ])('is refused with a wrong %s', async (_what, code, more) => {
    for (const part of ['Assertion', 'Response'] as const) expect(await outcome(signed(more, { part }))).toBe(code)
  })

  it('is accepted from a clock that differs by 10 s', async () => {
    for (const more of [{ validIn: 10_000 }, { validFor: -10_000 }]) {
      expect(await outcome(signed(more))).toBe('ada@example.com')
    }
  })

  it('is refused with weak algorithms', async () => {
    const weak: SigningOptions[] = [
      { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' },
      { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' },
    ]
    for (const signing of weak) expect(await outcome(signed({}, signing))).toBe('saml_algorithm')
    // A public key as the secret of an HMAC.
    const hmac = { ...key, privateKey: key.certificate }
    const forged = signSaml(response(), hmac, { signature: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1' })
    expect(await outcome(forged)).toBe('saml_algorithm')
  })
})
