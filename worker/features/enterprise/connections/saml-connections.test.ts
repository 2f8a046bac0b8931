import { Buffer } from 'node:buffer'
import { createVerify } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, env, outcome, TestApp } from '../../../testing/harness.ts'
import { company } from '../../../testing/organizations.ts'
import { interceptOutside } from '../../../testing/outside/intercept.ts'
import { idpMetadata, newSamlKey } from '../../../testing/outside/saml-idp.ts'
import { rowOf, rowsOf } from '../../../testing/rows.ts'
import type { SamlConfig } from '../model/connection-config.ts'
import { pemOf } from '../saml/certificates.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const options = { rateLimit: { enabled: false }, enterprise: { enabled: true } }
const entityId = 'https://idp.example.org/saml'
const key = newSamlKey()
const config = { type: 'saml', entityId, ssoUrl: 'https://idp.example.org/sso?x=1', certificates: [key.certificate] }

const create = async (device: Device, more: object = {}) => {
  const created = await device.post('/sso/create-connection', { name: 'IdP', config: { ...config, ...more } })
  expect(created.status).toBe(200)
  return created.body
}

/** The URL of a request, whose signature one of the certificates verifies. */
async function startedUrl(device: Device, connectionId: string): Promise<string> {
  const { body } = await device.post('/sso/test-connection', { connectionId, callbackURL: '/settings' })
  return body.url
}

function isSignedWith(url: string, certificate: string): boolean {
  const query = url.slice(url.indexOf('SAMLRequest='))
  const [text, signature] = query.split('&Signature=')
  expect(text).toMatch(/^SAMLRequest=[^&]+&RelayState=[^&]+&SigAlg=[^&]+rsa-sha256$/)
  return createVerify('RSA-SHA256')
    .update(text!)
    .verify(certificate, Buffer.from(decodeURIComponent(signature!), 'base64'))
}

describe('our key pair of a SAML connection', () => {
  it('signs requests, is in our metadata, and is rotated with two certificates', async () => {
    const app = new TestApp(options)
    const { owner } = await company(app, 'acme')
    const { device } = owner
    const connection = await create(device)
    const { id } = connection
    const [first] = connection.ownCertificates
    expect(Date.parse(first.expiresAt)).toBeGreaterThan(Date.now() + 1000 * 86_400_000)
    expect(JSON.stringify(await rowsOf('connections'))).not.toContain('PRIVATE KEY')
    const url = await startedUrl(device, id)
    expect(url).toMatch(/^https:\/\/idp\.example\.org\/sso\?x=1&SAMLRequest=/)
    expect(isSignedWith(url, first.certificate)).toBe(true)
    const inMetadata = async () => {
      const { body } = await app.device().get(`/sso/saml2/metadata/${id}`)
      expect(body).toContain('AuthnRequestsSigned="true"')
      const found = [...body.matchAll(/use="(signing|encryption)".*?<ds:X509Certificate>([^<]+)</g)]
      return found.map(([, use, text]) => `${use} ${pemOf(text!)}`)
    }
    expect(await inMetadata()).toEqual([`signing ${first.certificate}`, `encryption ${first.certificate}`])
    const rotate = (step: string) => device.post('/sso/rotate-key', { connectionId: id, step })
    expect(outcome(await rotate('switch'))).toEqual({ status: 400, code: 'CONNECTION_HAS_NO_SECOND_KEY' })
    const [, second] = (await rotate('add')).body.ownCertificates
    expect(second.certificate).not.toBe(first.certificate)
    expect(await inMetadata()).toEqual([
      `signing ${first.certificate}`,
      `signing ${second.certificate}`,
      `encryption ${first.certificate}`,
    ])
    expect(isSignedWith(await startedUrl(device, id), first.certificate)).toBe(true)
    expect((await rotate('switch')).body.ownCertificates).toEqual([second, first])
    expect(isSignedWith(await startedUrl(device, id), second.certificate)).toBe(true)
    expect((await rotate('remove')).body.ownCertificates).toEqual([second])
    expect(isSignedWith(await startedUrl(device, id), second.certificate)).toBe(true)
    // A connection of another organization, and one without a key pair.
    const other = await company(app, 'beta')
    const foreign = await other.owner.device.post('/sso/rotate-key', { connectionId: id, step: 'add' })
    expect(outcome(foreign)).toEqual({ status: 404, code: 'SSO_CONNECTION_NOT_FOUND' })
    const unsigned = await create(device, { signsRequests: false })
    expect(await startedUrl(device, unsigned.id)).not.toContain('Signature=')
  })
})

describe('the metadata of an identity provider', () => {
  const documents = new Map<string, string>()
  const intercept = () =>
    interceptOutside(async ({ url }) => {
      const text = documents.get(url)
      if (text === 'down') return new Response('', { status: 503 })
      return text === undefined ? new Response('', { status: 404 }) : new Response(text)
    })
  const url = 'https://idp.example.org/metadata'

  it('is imported from a text or a public URL, by those who manage the organization', async () => {
    intercept()
    const app = new TestApp(options)
    const { owner } = await company(app, 'acme')
    const { device } = owner
    const read = (body: object) => device.post('/sso/read-metadata', body)
    const found = await read({ metadata: idpMetadata(entityId, [key.certificate]) })
    const fields = {
      entityId,
      ssoUrl: 'https://idp.example.org/sso',
      sloUrl: 'https://idp.example.org/slo',
      certificates: [key.certificate],
      certificatesExpireAt: '2040-01-01T00:00:00.000Z',
    }
    expect(found).toMatchObject({ status: 200, body: { ...fields, metadataUrl: null } })
    documents.set(url, idpMetadata(entityId, [key.certificate]))
    expect((await read({ url })).body).toEqual({ ...fields, metadataUrl: url })
    const code = async (body: object) => (await read(body)).body.code
    for (const bad of ['http://idp.example.org/m', 'https://10.0.0.1/m', 'file:///etc/passwd']) {
      expect(await code({ url: bad })).toBe('INVALID_METADATA_URL')
    }
    expect(await code({ url: 'https://idp.example.org/missing' })).toBe('INVALID_METADATA')
    expect(await code({ metadata: `<!DOCTYPE r>${idpMetadata(entityId, [key.certificate])}` })).toBe('INVALID_METADATA')
    const inside = idpMetadata(entityId, [key.certificate]).replace(
      'https://idp.example.org/sso',
      'https://10.0.0.1/sso',
    )
    expect(await code({ metadata: inside })).toBe('INVALID_METADATA')
    documents.set(url, 'down')
    expect((await read({ url })).status).toBe(503)
    expect((await read({})).status).toBe(400)
    const stranger = await company(app, 'beta')
    const organizationId = (await create(device)).organizationId
    expect((await stranger.owner.device.post('/sso/read-metadata', { organizationId, url })).status).toBe(403)
  })

  it('is read every day: certificates roll over, and another entity changes nothing', async () => {
    intercept()
    const app = new TestApp(options)
    const { owner } = await company(app, 'acme')
    documents.set(url, idpMetadata(entityId, [key.certificate]))
    const { id } = await create(owner.device, { metadataUrl: url })
    const plain = await create(owner.device)
    const [next, elsewhere] = [newSamlKey('next', new Date('2035-01-01')), newSamlKey('other')]
    documents.set(url, idpMetadata(entityId, [key.certificate, next.certificate]))
    const configOf = async (of = id) => (await rowOf('connections', { id: of }))!.config as SamlConfig
    const certificates = async () => (await configOf()).certificates
    vi.useFakeTimers({ toFake: ['Date'] })
    const start = Date.now()
    const day = async (n: number) => {
      vi.setSystemTime(start + n * 86_400_000 + 1000)
      await app.runScheduled()
      return certificates()
    }
    expect(await day(0.5)).toEqual([key.certificate])
    expect(await day(1)).toEqual([key.certificate, next.certificate])
    documents.set(url, idpMetadata('https://evil.example.org', [elsewhere.certificate]))
    expect(await day(2.1)).toEqual([key.certificate, next.certificate])
    documents.set(url, 'down')
    expect(await day(3.2)).toEqual([key.certificate, next.certificate])
    // An outage is tried again within the day.
    documents.set(url, idpMetadata(entityId, [next.certificate]))
    expect(await day(3.3)).toEqual([next.certificate])
    expect(await configOf()).toMatchObject({
      ssoUrl: 'https://idp.example.org/sso',
      certificatesExpireAt: '2035-01-01T00:00:00.000Z',
    })
    expect((await configOf(plain.id)).certificates).toEqual([key.certificate])
  })
})

describe('the owners of an organization', () => {
  it('get a mail 30, 7 and 1 days before a certificate expires, once each', async () => {
    const app = new TestApp(options)
    const { owner } = await company(app, 'acme')
    const start = Date.now()
    const expiring = newSamlKey('expiring', new Date(start + 40 * 86_400_000))
    const { id } = await create(owner.device, { certificates: [expiring.certificate] })
    await create(owner.device, { certificates: [expiring.certificate] })
    await env.DB.prepare("update connections set state = 'active' where id = ?").bind(id).run()
    vi.useFakeTimers({ toFake: ['Date'] })
    const mails = async (n: number) => {
      vi.setSystemTime(start + n * 86_400_000)
      await app.runScheduled()
      return (await app.mailbox()).filter(({ subject }) => subject.includes('needs your attention'))
    }
    expect(await mails(9)).toHaveLength(0)
    const [first, ...others] = await mails(10.1)
    expect(others).toEqual([])
    expect(first!.text).toContain('The certificate of the identity provider of the connection IdP expires on')
    expect(await mails(11)).toHaveLength(1)
    expect(await mails(33.1)).toHaveLength(2)
    expect(await mails(39.1)).toHaveLength(3)
    expect(await mails(39.9)).toHaveLength(3)
    // Three years later: the certificate of ours.
    const late = await mails(3 * 365 - 29.9)
    expect(late).toHaveLength(4)
    expect(late.filter(({ text }) => text.includes('Our certificate of the connection IdP expires'))).toHaveLength(1)
  })
})
