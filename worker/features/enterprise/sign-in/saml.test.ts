import { Buffer } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import { type Company, company } from '../../../testing/organizations.ts'
import { OrganizationIdp } from '../../../testing/outside/organization-idp.ts'
import {
  ecdsaSha256,
  encryptSaml,
  newSamlKey,
  type ResponseOptions,
  samlResponse,
  signSaml,
} from '../../../testing/outside/saml-idp.ts'
import { count, rowOf, rowsOf } from '../../../testing/rows.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const options = { rateLimit: { enabled: false }, enterprise: { enabled: true } }
const issuer = 'https://idp.example.org/saml'
const key = newSamlKey()

const sessionOf = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body

const pathOf = (location: string | null) => (location ?? '').replace(origin, '')

/** The request of a redirect to the identity provider. */
function requestIn(url: string) {
  const query = new URL(url).searchParams
  const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest')!, 'base64')).toString()
  return { relayState: query.get('RelayState')!, id: / ID="([^"]+)"/.exec(xml)![1]!, xml }
}

const answerTo = (id: string, more: Partial<ResponseOptions> = {}) =>
  samlResponse({
    issuer,
    audience: `${origin}/api/auth/sso/saml2/metadata/${id}`,
    recipient: `${origin}/api/auth/sso/saml2/acs/${id}`,
    ...more,
  })

/** The form post of the identity provider, from its own site and without cookies. @returns the next location */
async function post(device: Device, id: string, xml: string, relayState: string): Promise<string> {
  const form = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState })
  const answer = await device.post(`/sso/saml2/acs/${id}`, form.toString(), {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp.example.org',
      cookie: '',
    },
  })
  return pathOf(answer.headers.get('location'))
}

const begin = async (device: Device, providerId: string) => {
  const { body } = await device.post('/sign-in/sso', { providerId, callbackURL: '/dash', errorCallbackURL: '/err' })
  return requestIn(body.url)
}

/** A whole sign-in. @returns the last location */
async function signIn(device: Device, id: string, more: Partial<ResponseOptions> = {}, signing = key): Promise<string> {
  const request = await begin(device, id)
  const xml = signSaml(answerTo(id, { inResponseTo: request.id, ...more }), signing)
  const next = await post(device, id, xml, request.relayState)
  return pathOf((await device.get(next)).headers.get('location'))
}

async function connect(at: Company, more: object = {}): Promise<string> {
  const { device } = at.owner
  const config = {
    type: 'saml',
    entityId: issuer,
    ssoUrl: 'https://idp.example.org/sso?x=1',
    certificates: [key.certificate],
    ...more,
  }
  const created = await device.post('/sso/create-connection', { organizationId: at.id, name: 'IdP', config })
  if (created.status !== 200) throw new Error(JSON.stringify(created.body))
  const connectionId: string = created.body.id
  const started = await device.post('/sso/test-connection', {
    organizationId: at.id,
    connectionId,
    callbackURL: '/settings',
  })
  const request = requestIn(started.body.url)
  const xml = signSaml(answerTo(connectionId, { inResponseTo: request.id, attributes: { groups: ['a'] } }), key)
  const ended = await device.get(await post(device, connectionId, xml, request.relayState))
  expect(pathOf(ended.headers.get('location'))).toBe('/settings')
  const active = await device.post('/sso/update-connection', { organizationId: at.id, connectionId, state: 'active' })
  expect(active.status).toBe(200)
  return connectionId
}

describe('a SAML connection', () => {
  it('signs in, creates the member, shows its metadata and when its certificates expire', async () => {
    const dns = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    await dns.verify(acme, 'example.com')
    const id = await connect(acme, {
      certificates: [newSamlKey('old', new Date('2030-01-01')).certificate, key.certificate],
    })
    const [connection] = (await acme.owner.device.get('/sso/settings')).body.connections
    expect(connection).toMatchObject({
      type: 'saml',
      state: 'active',
      lastTest: { error: null, attributes: ['groups'] },
      config: { certificatesExpireAt: '2040-01-01T00:00:00.000Z' },
      serviceProvider: { entityId: `${origin}/api/auth/sso/saml2/metadata/${id}` },
    })
    const metadata = await app.device().get(`/sso/saml2/metadata/${id}`)
    expect(metadata.body).toContain(`Location="${origin}/api/auth/sso/saml2/acs/${id}"`)
    const device = app.device()
    const { xml } = await begin(device, id)
    expect(xml).toContain(`AssertionConsumerServiceURL="${origin}/api/auth/sso/saml2/acs/${id}"`)
    const attributes = { displayName: ['Ada L'], groups: ['x'] }
    expect(await signIn(device, id, { attributes })).toBe('/dash')
    const { user } = await sessionOf(device)
    expect(user).toMatchObject({ email: 'ada@example.com', name: 'Ada L', emailVerified: true })
    expect(await rowOf('members', { userId: user.id })).toMatchObject({ organizationId: acme.id, role: 'member' })
    expect(await signIn(app.device(), id)).toBe('/dash')
    expect(await count('users', { email: 'ada@example.com' })).toBe(1)
    // The comment is part of the signed text: another address, which is in no domain of the organization.
    const commented = { subject: 'ada@example.com<!-- -->.evil.example' }
    expect(await signIn(app.device(), id, commented)).toBe('/err?error=sso_address_outside_domains')
    // A test that fails has its reason.
    const { device: owner } = acme.owner
    const started = await owner.post('/sso/test-connection', { connectionId: id, callbackURL: '/settings' })
    const request = requestIn(started.body.url)
    const forged = signSaml(answerTo(id, { inResponseTo: request.id }), newSamlKey('attacker'))
    await owner.get(await post(owner, id, forged, request.relayState))
    const [failed] = (await owner.get('/sso/settings')).body.connections
    expect(failed.lastTest).toMatchObject({ error: 'saml_signature' })
    // Rules of the configuration.
    const bad = async (more: object) =>
      (await owner.post('/sso/create-connection', { name: 'x', config: { ...connection.config, ...more } })).body.code
    expect(await bad({ certificates: ['no certificate'] })).toBe('INVALID_CERTIFICATE')
    expect(await bad({ ssoUrl: 'javascript:alert(1)' })).toBe('INVALID_SIGN_IN_URL')
  })

  it('signs in with ECDSA, and with an encrypted assertion', async () => {
    const dns = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    await dns.verify(acme, 'example.com')
    const elliptic = newSamlKey('ec', undefined, 'ec')
    const id = await connect(acme, { certificates: [elliptic.certificate, key.certificate] })
    const [connection] = (await acme.owner.device.get('/sso/settings')).body.connections
    const [{ certificate }] = connection.ownCertificates
    const enter = async (wrap: (xml: string) => Promise<string> | string) => {
      const device = app.device()
      const request = await begin(device, id)
      const next = await post(device, id, await wrap(answerTo(id, { inResponseTo: request.id })), request.relayState)
      return pathOf((await device.get(next)).headers.get('location'))
    }
    expect(await enter((xml) => signSaml(xml, elliptic, { signature: ecdsaSha256 }))).toBe('/dash')
    expect(await enter((xml) => encryptSaml(signSaml(xml, key), certificate))).toBe('/dash')
    const cbc = { cipher: 'aes256-cbc', transport: 'SHA-256' } as const
    expect(
      await enter(async (xml) => signSaml(await encryptSaml(xml, certificate, cbc), key, { part: 'Response' })),
    ).toBe('/dash')
    const forOthers = (xml: string) => encryptSaml(signSaml(xml, key), newSamlKey('other').certificate)
    expect(await enter(forOthers)).toBe('/err?error=saml_encrypted')
  })

  it('refuses replayed, unsolicited and foreign responses, and those of another browser or connection', async () => {
    const dns = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    const mallory = await company(app, 'mallory')
    await dns.verify(acme, 'example.com')
    await dns.verify(mallory, 'evil.example')
    const id = await connect(acme)
    const evil = await connect(mallory)
    const end = async (device: Device, next: string) => pathOf((await device.get(next)).headers.get('location'))
    // The assertion of one sign-in in another one: in its own, it works once.
    const victim = app.device()
    const first = await begin(victim, id)
    const xml = signSaml(answerTo(id, { inResponseTo: first.id }), key)
    const next = await post(victim, id, xml, first.relayState)
    const again = await post(victim, id, xml, first.relayState)
    expect(await end(victim, next)).toBe('/dash')
    expect(await end(victim, next)).toContain('error=please_restart_the_process')
    expect(await end(victim, again)).toContain('error=please_restart_the_process')
    const attacker = app.device()
    const own = await begin(attacker, id)
    expect(await end(attacker, await post(attacker, id, xml, own.relayState))).toBe('/err?error=saml_wrong_request')
    // The id of an assertion is used, also where the identity provider repeats it for another request.
    const assertion = { id: '_same' }
    expect(await signIn(app.device(), id, assertion)).toBe('/dash')
    expect(await signIn(app.device(), id, assertion)).toBe('/err?error=saml_assertion_used')
    // The response of the attacker's sign-in in the browser of the victim.
    const planted = await begin(attacker, id)
    const plant = await post(
      attacker,
      id,
      signSaml(answerTo(id, { inResponseTo: planted.id }), key),
      planted.relayState,
    )
    expect(await end(app.device(), plant)).toContain('error=please_restart_the_process')
    // Unsolicited.
    const unsolicited = signSaml(answerTo(id, { inResponseTo: null }), key)
    expect(await post(app.device(), id, unsolicited, '')).toContain('error=saml_unsolicited')
    // A connection of another organization: its responses fit nowhere else, and its addresses are its own.
    const crossed = await begin(attacker, id)
    const foreign = signSaml(answerTo(evil, { inResponseTo: crossed.id }), key)
    expect(await end(attacker, await post(attacker, id, foreign, crossed.relayState))).toBe('/err?error=saml_recipient')
    const other = await begin(attacker, evil)
    const audience = answerTo(evil, { inResponseTo: other.id, audience: `${origin}/api/auth/sso/saml2/metadata/${id}` })
    expect(await end(attacker, await post(attacker, evil, signSaml(audience, key), other.relayState))).toBe(
      '/err?error=saml_audience',
    )
    const swapped = await begin(attacker, id)
    const valid = signSaml(answerTo(evil, { inResponseTo: swapped.id }), key)
    expect(await end(attacker, await post(attacker, evil, valid, swapped.relayState))).toContain(
      'error=please_restart_the_process',
    )
    expect(await signIn(attacker, evil, { subject: 'ada@example.com' })).toBe('/err?error=sso_address_outside_domains')
    expect(await sessionOf(attacker)).toBeNull()
    expect((await rowsOf('accounts')).filter(({ providerId }) => providerId === `sso-${evil}`)).toEqual([])
    // Garbage creates nothing and causes no fault.
    expect(await post(app.device(), id, 'garbage', 'x')).toContain('error=saml_invalid_document')
    expect(await post(app.device(), 'unknown', xml, 'x')).toContain('error=sso_connection_not_found')
  })

  it('turns a sign-in that begins at the identity provider into one of its own, where it is allowed', async () => {
    const dns = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    await dns.verify(acme, 'example.com')
    const id = await connect(acme, { acceptsIdpInitiated: true })
    const device = app.device()
    const unsolicited = signSaml(answerTo(id, { inResponseTo: null }), key)
    const start = await post(device, id, unsolicited, 'https://app.example')
    // A page of ours asks the user, so that a foreign page cannot sign the browser in.
    expect(start).toBe(`/sign-in/organization?connection=${id}`)
    expect(await sessionOf(device)).toBeNull()
    const named = await device.post('/sso/discover', { connectionId: id })
    expect(named.body).toEqual({ connection: { id, organization: 'ACME' }, required: false })
    const started = await device.post('/sign-in/sso', { providerId: id })
    const request = requestIn(started.body.url)
    const xml = signSaml(answerTo(id, { inResponseTo: request.id }), key)
    const ended = await device.get(await post(device, id, xml, request.relayState))
    expect(pathOf(ended.headers.get('location'))).toMatch(/^\/?$/)
    expect((await sessionOf(device)).user.email).toBe('ada@example.com')
  })
})
