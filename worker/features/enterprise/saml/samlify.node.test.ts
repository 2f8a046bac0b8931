import { Buffer } from 'node:buffer'
import { Constants, IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify'
import { expect, it } from 'vitest'
import { newSamlKey } from '../../../testing/outside/saml-idp.ts'
import { readCertificates } from './certificates.ts'
import { authnRequest, logoutRequest, metadataOf } from './messages.ts'
import { newOwnKey } from './own-keys.ts'
import { readMetadata } from './read-metadata.ts'
import { redirectUrl } from './redirect-binding.ts'
import { verifyLogoutRequest } from './verify-logout.ts'
import { verifyResponse } from './verify-response.ts'

/** Sign-in and logout with an identity provider of samlify, which reads our metadata and we its. */

// samlify needs a validator. It parses XML without one.
setSchemaValidator({ validate: async () => 'valid' })

const now = new Date()
const own = await newOwnKey(now)
const key = newSamlKey()
const entityId = 'https://accounts.example.com/api/auth/sso/saml2/metadata/c1'
const recipient = 'https://accounts.example.com/api/auth/sso/saml2/acs/c1'
const logoutUrl = 'https://accounts.example.com/api/auth/sso/saml2/logout/c1'
const { namespace, algorithms } = Constants
const user = { email: 'ada@example.com' }

const providerWith = (more: object = {}) =>
  IdentityProvider({
    ...{ entityID: 'https://idp.example.org/saml', wantAuthnRequestsSigned: true },
    ...{ privateKey: key.privateKey, signingCert: key.certificate },
    requestSignatureAlgorithm: algorithms.signature.RSA_SHA256,
    nameIDFormat: [namespace.format.emailAddress],
    singleSignOnService: [{ Binding: namespace.binding.redirect, Location: 'https://idp.example.org/sso' }],
    singleLogoutService: [{ Binding: namespace.binding.redirect, Location: 'https://idp.example.org/slo' }],
    ...more,
  })

const service = (more: object = {}) =>
  ServiceProvider({
    metadata: metadataOf({
      ...{ entityId, recipient, logoutUrl, signsRequests: true },
      certificates: [own.certificate],
    }),
    ...more,
  })

/** The query of a redirect, and the part of it that the signature covers. */
function redirected(url: string) {
  const { search, searchParams } = new URL(url)
  return { query: Object.fromEntries(searchParams), octetString: search.slice(1).split('&Signature=')[0]! }
}

/** Signs in. @param encryptsFirst whether the signature covers the ciphertext */
async function signIn(settings: object, serviceSettings: object, encryptsFirst = false) {
  const provider = providerWith(settings)
  const { entityId: issuer, ssoUrl, ...read } = await readMetadata(provider.getMetadata(), now)
  const { certificates } = readCertificates(read.certificates)!
  const message = authnRequest({ id: '_request', issuedAt: now, destination: ssoUrl, recipient, issuer: entityId })
  const url = await redirectUrl(ssoUrl, 'SAMLRequest', message, 'state', own.privateKey)
  const peer = service(serviceSettings)
  const request = await provider.parseLoginRequest(peer, 'redirect', redirected(url))
  const answer = await provider.createLoginResponse(peer, request, 'post', user, undefined, encryptsFirst)
  const document = Buffer.from(answer.context, 'base64').toString()
  const expected = { certificates, issuer, audience: entityId, recipient, now: new Date() }
  return { document, read: () => verifyResponse(document, { ...expected, privateKeys: [own.privateKey] }) }
}

it('verifies our signed request, and we its signed and encrypted responses', async () => {
  const encrypted = { isAssertionEncrypted: true, messageSigningOrder: 'encrypt-then-sign' }
  const gcm = algorithms.encryption.data.AES_128_GCM
  for (const [name, settings, serviceSettings, encryptsFirst, outcome] of [
    ['signed assertion', {}, {}, false, 'ada@example.com'],
    ['signed response', {}, { wantMessageSigned: true }, false, 'ada@example.com'],
    ['encrypted, GCM', { ...encrypted, dataEncryptionAlgorithm: gcm }, {}, false, 'ada@example.com'],
    ['encrypted, CBC, signed response', encrypted, { wantMessageSigned: true }, true, 'ada@example.com'],
    ['encrypted, CBC', encrypted, {}, false, 'AES-CBC needs a signature of the response'],
  ] as const) {
    const { document, read } = await signIn(settings, serviceSettings, encryptsFirst)
    expect({ name, isEncrypted: document.includes('EncryptedAssertion') }).toEqual({
      name,
      isEncrypted: name.startsWith('encrypted'),
    })
    const found = await read().then(
      ({ subject, inResponseTo }) => (inResponseTo === '_request' ? subject : inResponseTo),
      (thrown) => thrown.message,
    )
    expect({ name, found }).toEqual({ name, found: outcome })
  }
})

it('refuses a request with another key, and we an altered response', async () => {
  const provider = providerWith()
  const message = authnRequest({
    id: '_r',
    issuedAt: now,
    destination: 'https://idp.example.org/sso',
    recipient,
    issuer: entityId,
  })
  const foreign = await newOwnKey(now)
  const url = await redirectUrl('https://idp.example.org/sso', 'SAMLRequest', message, 'state', foreign.privateKey)
  await expect(provider.parseLoginRequest(service(), 'redirect', redirected(url))).rejects.toThrow()
  const { document } = await signIn({}, {})
  const expected = {
    certificates: [key.certificate],
    issuer: 'https://idp.example.org/saml',
    audience: entityId,
    recipient,
  }
  const altered = verifyResponse(document.replace('ada@', 'eve@'), { ...expected, now: new Date() })
  await expect(altered).rejects.toThrow()
})

it('reads our logout request, and we its', async () => {
  const provider = providerWith()
  const { sloUrl } = await readMetadata(provider.getMetadata(), now)
  const upstream = {
    ...{ subject: 'ada@example.com', format: namespace.format.emailAddress, sessionIndex: 's1' },
    ...{ nameQualifier: null, spNameQualifier: null },
  }
  const ours = logoutRequest({ id: '_out', issuedAt: now, destination: sloUrl!, issuer: entityId, upstream })
  const url = await redirectUrl(sloUrl!, 'SAMLRequest', ours, 'state', own.privateKey)
  const { extract } = await provider.parseLogoutRequest(service(), 'redirect', redirected(url))
  expect(extract).toMatchObject({ nameID: 'ada@example.com', sessionIndex: 's1' })
  const theirs = provider.createLogoutRequest(service({ wantLogoutRequestSigned: true }), 'redirect', {
    logoutNameID: 'ada@example.com',
    sessionIndex: 's1',
  })
  const { search } = new URL(theirs.context)
  const bound = { query: search.slice(1), message: redirected(theirs.context).query.SAMLRequest! }
  const read = await verifyLogoutRequest(bound, {
    ...{ certificates: [key.certificate], issuer: 'https://idp.example.org/saml' },
    ...{ destination: logoutUrl, now: new Date() },
  })
  expect(read).toMatchObject({ subject: 'ada@example.com' })
})
