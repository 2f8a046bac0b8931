import { Buffer } from 'node:buffer'
import { createSign, createVerify } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import { type Company, company } from '../../../testing/organizations.ts'
import { OrganizationIdp } from '../../../testing/outside/organization-idp.ts'
import { newSamlKey, samlResponse, signSaml } from '../../../testing/outside/saml-idp.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const options = { rateLimit: { enabled: false }, enterprise: { enabled: true } }
const issuer = 'https://idp.example.org/saml'
const key = newSamlKey()
const attackersKey = newSamlKey('attacker')
const sloUrl = 'https://idp.example.org/slo'
const pathOf = (location: string | null) => (location ?? '').replace(origin, '')
const isSignedIn = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body !== null

const messageIn = (url: string, name: string) =>
  inflateRawSync(Buffer.from(new URL(url).searchParams.get(name)!, 'base64')).toString()

async function connect(at: Company): Promise<{ id: string; certificate: string }> {
  const config = {
    type: 'saml',
    entityId: issuer,
    ssoUrl: 'https://idp.example.org/sso',
    sloUrl,
    certificates: [key.certificate],
  }
  const { device } = at.owner
  const { body } = await device.post('/sso/create-connection', { organizationId: at.id, name: 'IdP', config })
  const started = await device.post('/sso/test-connection', {
    organizationId: at.id,
    connectionId: body.id,
    callbackURL: '/settings',
  })
  await answer(device, body.id, started.body.url, 's0')
  const active = await device.post('/sso/update-connection', {
    organizationId: at.id,
    connectionId: body.id,
    state: 'active',
  })
  expect(active.status).toBe(200)
  return { id: body.id, certificate: body.ownCertificates[0].certificate }
}

async function answer(
  device: Device,
  id: string,
  url: string,
  index: string,
  subject = 'ada@example.com',
): Promise<string> {
  const xml = samlResponse({
    issuer,
    audience: `${origin}/api/auth/sso/saml2/metadata/${id}`,
    recipient: `${origin}/api/auth/sso/saml2/acs/${id}`,
    inResponseTo: / ID="([^"]+)"/.exec(messageIn(url, 'SAMLRequest'))![1]!,
    subject,
  }).replace('<saml:AuthnStatement ', `<saml:AuthnStatement SessionIndex="${index}" `)
  const form = new URLSearchParams({
    SAMLResponse: Buffer.from(signSaml(xml, key)).toString('base64'),
    RelayState: new URL(url).searchParams.get('RelayState')!,
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example.org', cookie: '' }
  const next = await device.post(`/sso/saml2/acs/${id}`, form.toString(), { headers })
  return pathOf((await device.get(pathOf(next.headers.get('location')))).headers.get('location'))
}

async function signIn(app: TestApp, id: string, index: string, subject?: string): Promise<Device> {
  const device = app.device()
  const { body } = await device.post('/sign-in/sso', { providerId: id, callbackURL: '/dash', errorCallbackURL: '/err' })
  expect(await answer(device, id, body.url, index, subject)).toBe('/dash')
  return device
}

interface RequestOptions {
  id?: string
  subject?: string
  indexes?: string[]
  issuer?: string
  destination?: string
  issuedAt?: Date
  more?: string
}

let issued = 0
const logoutRequest = (connectionId: string, given: RequestOptions = {}) =>
  `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${given.id ?? `_logout${++issued}`}" Version="2.0" IssueInstant="${(given.issuedAt ?? new Date()).toISOString()}" Destination="${given.destination ?? `${origin}/api/auth/sso/saml2/logout/${connectionId}`}"${given.more ?? ''}><saml:Issuer>${given.issuer ?? issuer}</saml:Issuer><saml:NameID>${given.subject ?? 'ada@example.com'}</saml:NameID>${(given.indexes ?? []).map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join('')}</samlp:LogoutRequest>`

/** The query of a redirect, signed. */
function signedQuery(xml: string, signing = key, algorithm = 'rsa-sha256'): string {
  const namespace =
    algorithm === 'rsa-sha1' ? 'http://www.w3.org/2000/09/xmldsig#' : 'http://www.w3.org/2001/04/xmldsig-more#'
  const parts = [
    ['SAMLRequest', deflateRawSync(Buffer.from(xml)).toString('base64')],
    ['RelayState', 'the state'],
    ['SigAlg', `${namespace}${algorithm}`],
  ].map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
  const hash = algorithm === 'rsa-sha1' ? 'RSA-SHA1' : 'RSA-SHA256'
  const signature = createSign(hash).update(parts.join('&')).sign(signing.privateKey, 'base64')
  return [...parts, `Signature=${encodeURIComponent(signature)}`].join('&')
}

const byRedirect = async (app: TestApp, id: string, query: string) =>
  pathOf((await app.device().get(`/sso/saml2/logout/${id}?${query}`)).headers.get('location'))

const byForm = async (app: TestApp, id: string, xml: string) => {
  const form = new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64') })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example.org', cookie: '' }
  const { headers: answered } = await app.device().post(`/sso/saml2/logout/${id}`, form.toString(), { headers })
  return pathOf(answered.get('location'))
}

async function start() {
  const dns = new OrganizationIdp().install()
  const app = new TestApp(options)
  const acme = await company(app, 'acme')
  await dns.verify(acme, 'example.com')
  return { app, dns, acme, ...(await connect(acme)) }
}

const signForm = (xml: string, signing = key) =>
  signSaml(xml.replace('</saml:Issuer>', '</saml:Issuer>'), signing, { part: 'LogoutRequest' })

describe('a logout that the identity provider starts', () => {
  it('ends exactly the sessions that it names, and is answered', async () => {
    const { app, id, certificate } = await start()
    const [one, two, three] = [await signIn(app, id, 's1'), await signIn(app, id, 's2'), await signIn(app, id, 's3')]
    const other = await signIn(app, id, 's1', 'bob@example.com')
    const next = await byRedirect(app, id, signedQuery(logoutRequest(id, { id: '_l1', indexes: ['s1'] })))
    expect(await Promise.all([one, two, three, other].map(isSignedIn))).toEqual([false, true, true, true])
    // The response is signed, and returns the relay state.
    expect(next.startsWith(`${sloUrl}?SAMLResponse=`)).toBe(true)
    const [text, signature] = next.slice(next.indexOf('?') + 1).split('&Signature=')
    const value = Buffer.from(decodeURIComponent(signature!), 'base64')
    expect(createVerify('RSA-SHA256').update(text!).verify(certificate, value)).toBe(true)
    expect(new URL(next).searchParams.get('RelayState')).toBe('the state')
    expect(messageIn(next, 'SAMLResponse')).toMatch(/InResponseTo="_l1".*status:Success/)
    // The POST binding, and all sessions of the subject.
    expect(await byForm(app, id, signForm(logoutRequest(id)))).toContain('SAMLResponse=')
    expect(await Promise.all([two, three, other].map(isSignedIn))).toEqual([false, false, true])
  })

  it('is refused when it is forged, replayed, old, or for another connection', async () => {
    const { app, dns, id } = await start()
    const mallory = await company(app, 'mallory')
    await dns.verify(mallory, 'evil.example')
    const foreign = await connect(mallory)
    const device = await signIn(app, id, 's1')
    const redirected = (given: RequestOptions, signing = key, algorithm?: string) =>
      byRedirect(app, id, signedQuery(logoutRequest(id, given), signing, algorithm))
    const good = signedQuery(logoutRequest(id, { indexes: ['other'] }))
    expect(await byRedirect(app, id, good)).toContain('SAMLResponse=')
    const refusals: [string | Promise<string>, string][] = [
      [byRedirect(app, id, good), 'saml_message_used'],
      [redirected({}, attackersKey), 'saml_signature'],
      [redirected({}, key, 'rsa-sha1'), 'saml_signature'],
      [byRedirect(app, id, signedQuery(logoutRequest(id)).replace(/&Signature=.*/, '')), 'saml_signature'],
      [byRedirect(app, id, signedQuery(logoutRequest(id)).replace('the%20state', 'another')), 'saml_signature'],
      [byRedirect(app, id, `${signedQuery(logoutRequest(id))}&RelayState=x`), 'saml_signature'],
      [redirected({ issuer: 'https://evil.example.org' }), 'saml_issuer'],
      [redirected({ destination: `${origin}/api/auth/sso/saml2/logout/${foreign.id}` }), 'saml_recipient'],
      [redirected({ issuedAt: new Date(Date.now() - 700_000) }), 'saml_expired'],
      [redirected({ issuedAt: new Date(Date.now() + 70_000) }), 'saml_expired'],
      [redirected({ more: ` NotOnOrAfter="${new Date(Date.now() - 70_000).toISOString()}"` }), 'saml_expired'],
      [redirected({ subject: '' }), 'saml_no_subject'],
      [byRedirect(app, id, signedQuery(`<!DOCTYPE r>${logoutRequest(id)}`)), 'saml_invalid_document'],
      [byRedirect(app, id, 'SAMLRequest=x'), 'saml_signature'],
      [byForm(app, id, logoutRequest(id)), 'saml_signature'],
      [byForm(app, id, signForm(logoutRequest(id), attackersKey)), 'saml_signature'],
      [
        byForm(app, id, signForm(logoutRequest(id, { subject: 'bob@example.com' })).replace('bob@', 'ada@')),
        'saml_signature',
      ],
      // A signed request around which the attacker puts another one.
      [
        byForm(
          app,
          id,
          logoutRequest(id).replace(
            '</samlp:LogoutRequest>',
            `${signForm(logoutRequest(id, { subject: 'x' }))}</samlp:LogoutRequest>`,
          ),
        ),
        'saml_signature',
      ],
      [byForm(app, 'unknown', logoutRequest(id)), 'sso_connection_not_found'],
    ]
    const ahead = { issuedAt: new Date(Date.now() + 10_000), subject: 'x', id: '_ahead' }
    expect(await redirected(ahead)).toContain('SAMLResponse=')
    for (const [refused, code] of refusals) expect(await refused).toContain(`error=${code}`)
    // A comment cuts no NameID, and the request of another organization ends nothing here.
    await redirected({ subject: 'ada@example.com<!-- -->.evil.example' })
    const crossed = signedQuery(logoutRequest(foreign.id))
    expect(await byRedirect(app, foreign.id, crossed)).toContain('SAMLResponse=')
    expect(await isSignedIn(device)).toBe(true)
  })
})

describe('a logout that the user starts', () => {
  it('ends the session here, and at the identity provider with a signed request', async () => {
    const { app, acme, id, certificate } = await start()
    const [device, other] = [await signIn(app, id, 's1'), await signIn(app, id, 's2')]
    const { body } = await device.post('/sso/sign-out', { callbackURL: '/bye' })
    expect(await Promise.all([device, other].map(isSignedIn))).toEqual([false, true])
    const message = messageIn(body.url, 'SAMLRequest')
    expect(body.url.startsWith(`${sloUrl}?SAMLRequest=`)).toBe(true)
    expect(message).toContain('<samlp:SessionIndex>s1</samlp:SessionIndex>')
    expect(message).toContain(
      '<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">ada@example.com</saml:NameID>',
    )
    const [text, signature] = body.url.slice(body.url.indexOf('?') + 1).split('&Signature=')
    const value = Buffer.from(decodeURIComponent(signature), 'base64')
    expect(createVerify('RSA-SHA256').update(text).verify(certificate, value)).toBe(true)
    // The response leads to the callback, once.
    const state = new URL(body.url).searchParams.get('RelayState')!
    const answered = (relayState: string) =>
      byRedirect(app, id, `SAMLResponse=x&RelayState=${encodeURIComponent(relayState)}`)
    expect(await answered(state)).toBe('/bye')
    expect(await answered(state)).toMatch(/^\/?$/)
    // A session without an identity provider ends here only.
    const { device: owner } = acme.owner
    expect((await owner.post('/sso/sign-out', { callbackURL: '/bye' })).body).toEqual({ url: '/bye', redirect: true })
    expect(await isSignedIn(owner)).toBe(false)
  })
})
