import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator, auditRows, plain } from '../../../testing/admins.ts'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import { basic, fetchInto, postForm } from '../../../testing/oauth.ts'
import { anotherDevice } from '../../../testing/organizations.ts'
import { alice } from '../../../testing/people.ts'
import { count, insertRows, rowsOf } from '../../../testing/rows.ts'
import { makeSessionsStale } from '../../../testing/states.ts'

const configured = 'https://mail.example.com'
const api = 'https://notes.example.com'
const settings = {
  rateLimit: { enabled: false },
  identityProvider: { resources: [{ identifier: configured, scopes: { 'mail:send': 'Send mail' } }] },
}
const notes = { identifier: api, name: 'Notes', scopes: { read: 'See notes', write: 'Change notes' } }
const resource = { ...notes, accessTokenExpiresIn: null, introspectedBy: [] }

let app: TestApp
let boss: Device
let bossId: string
let resourceId: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  app = new TestApp(settings)
  ;({ device: boss, id: bossId } = await administrator(app))
  resourceId = (await boss.post('/admin/create-resource', resource)).body.id
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const access = { [api]: ['read', 'write'], [configured]: ['mail:send'] }
const create = (more: object = {}) => boss.post('/admin/create-service', { name: 'Importer', access, ...more })
const update = (clientId: string, more: object) => boss.post('/admin/update-service', { clientId, ...more })
async function service(more: object = {}) {
  const { status, body } = await create(more)
  expect(status).toBe(200)
  return { client_id: body.service.clientId as string, client_secret: body.clientSecret as string }
}
const ask = (client: { client_id: string; client_secret: string }, more: Record<string, string> = {}) =>
  postForm(app, '/oauth2/token', { grant_type: 'client_credentials', resource: api, ...more }, basic(client))
const validate = (token: string, at = api) => app.serverApi().validateToken(at, token)

describe('a registered service', () => {
  it('gets tokens: oauth4webapi asks for one; the list shows no secret, and the audit log names each change', async () => {
    const client = await service({ days: 30 })
    const server = { issuer: origin, token_endpoint: `${origin}/api/auth/oauth2/token` }
    const asked = await oauth.clientCredentialsGrantRequest(
      server,
      { client_id: client.client_id },
      oauth.ClientSecretBasic(client.client_secret),
      { resource: api, scope: 'read' },
      { [oauth.customFetch]: fetchInto(app), [oauth.allowInsecureRequests]: true },
    )
    const token = await oauth.processClientCredentialsResponse(server, { client_id: client.client_id }, asked)
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'read', expires_in: 3600 })
    expect(await validate(token.access_token)).toMatchObject({
      props: { sub: client.client_id, kind: 'service' },
      scope: ['read'],
    })
    expect((await ask(client)).body.scope).toBe('read write')
    const { body } = await boss.get('/admin/list-resources')
    expect(body.services).toEqual([
      {
        ...{
          clientId: client.client_id,
          name: 'Importer',
          registered: true,
          credential: 'secret',
          issuers: [],
          access,
        },
        ...{ requireDPoP: false, limit: { max: 60, window: 60 }, state: 'active', previousSecretEndsAt: null },
        expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      },
    ])
    const [row] = await rowsOf('oauth_applications')
    expect(JSON.stringify([body, row, await auditRows()])).not.toContain(client.client_secret)
    await update(client.client_id, { name: 'Importer 2' })
    await boss.post('/admin/rotate-service-secret', { clientId: client.client_id })
    await boss.post('/admin/delete-service', { clientId: client.client_id })
    const actions = (await auditRows()).map(({ action }) => action)
    expect(actions).toEqual([
      ...['create-resource', 'create-service', 'update-service', 'rotate-service-secret', 'delete-service'],
    ])
  })

  it('signs with its key (private_key_jwt), and changes it without a pause', async () => {
    const [first, second] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
    const shown = async ({ publicKey }: typeof first, kid: string) => ({ ...(await exportJWK(publicKey)), kid })
    const [one, two] = [await shown(first, 'one'), await shown(second, 'two')]
    const { body } = await create({ jwks: { keys: [one] } })
    expect(body).toMatchObject({ clientSecret: null, service: { credential: 'key' } })
    const { clientId } = body.service
    let made = 0
    const signed = async ({ privateKey }: typeof first, kid: string) => {
      const client_assertion = await new SignJWT({ jti: `id-${++made}` })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(origin)
        .setExpirationTime(Math.floor(Date.now() / 1000) + 60)
        .sign(privateKey)
      const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      const form = { grant_type: 'client_credentials', resource: api, client_assertion, client_assertion_type }
      return (await postForm(app, '/oauth2/token', form)).status
    }
    expect([await signed(first, 'one'), await signed(second, 'two')]).toEqual([200, 401])
    await update(clientId, { jwks: { keys: [one, two] } })
    expect([await signed(first, 'one'), await signed(second, 'two')]).toEqual([200, 200])
    await update(clientId, { jwks: { keys: [two] } })
    expect([await signed(first, 'one'), await signed(second, 'two')]).toEqual([401, 200])
    const rotated = await boss.post('/admin/rotate-service-secret', { clientId })
    expect(rotated.body.code).toBe('SERVICE_NOT_FOUND')
  })

  it('gets another secret; the earlier one is valid until the overlap ends, and the one before it is not', async () => {
    const client = await service()
    const { body } = await boss.post('/admin/rotate-service-secret', { clientId: client.client_id, overlap: 600 })
    const next = { ...client, client_secret: body.clientSecret as string }
    expect(body.service.previousSecretEndsAt).toBe(new Date(Date.now() + 600_000).toISOString())
    expect([(await ask(client)).status, (await ask(next)).status]).toEqual([200, 200])
    pass(600)
    expect([(await ask(client)).status, (await ask(next)).status]).toEqual([401, 200])
    const clientId = client.client_id
    const last = (await boss.post('/admin/rotate-service-secret', { clientId, overlap: 0 })).body.clientSecret
    expect([(await ask(next)).status, (await ask({ ...client, client_secret: last })).status]).toEqual([401, 200])
  })

  it('is paused, resumed, expires and is deleted: its tokens follow', async () => {
    const client = await service({ days: 1 })
    const { access_token: token } = (await ask(client)).body
    await update(client.client_id, { state: 'paused' })
    expect([await validate(token), (await ask(client)).status]).toEqual([null, 401])
    await update(client.client_id, { state: 'active' })
    expect((await validate(token))?.scope).toEqual(['read', 'write'])
    pass(86_400 - 60)
    const late = (await ask(client)).body
    expect(late.expires_in).toBe(60)
    pass(60)
    expect([await validate(late.access_token), (await ask(client)).status]).toEqual([null, 401])
    boss = await anotherDevice(app, bossId)
    await update(client.client_id, { days: null })
    expect((await ask(client)).status).toBe(200)
    const fresh = (await ask(client)).body.access_token
    await boss.post('/admin/delete-service', { clientId: client.client_id })
    expect([await validate(fresh), (await ask(client)).status]).toEqual([null, 401])
    expect((await boss.post('/admin/delete-service', { clientId: client.client_id })).body.code).toBe(
      'SERVICE_NOT_FOUND',
    )
  })

  it('loses a scope with its access or with the resource, and all with the resource', async () => {
    const client = await service()
    const { access_token: token } = (await ask(client)).body
    await update(client.client_id, { access: { [api]: ['write'] } })
    expect((await validate(token))?.scope).toEqual(['write'])
    expect((await ask(client, { scope: 'read' })).body.error).toBe('invalid_scope')
    expect((await ask(client, { resource: configured })).body.error).toBe('invalid_target')
    const { identifier: _, ...rest } = resource
    await boss.post('/admin/update-resource', { ...rest, id: resourceId, scopes: { read: 'See notes' } })
    expect((await validate(token))?.scope).toEqual([])
    await boss.post('/admin/delete-resource', { id: resourceId })
    expect([await validate(token), (await ask(client)).body.error]).toEqual([null, 'invalid_target'])
    expect(await count('oauth_service_tokens')).toBe(0)
    // A resource that is registered again has none of the earlier tokens.
    await boss.post('/admin/create-resource', resource)
    expect(await validate(token)).toBeNull()
  })

  it('has a limit and needs a proof of possession, as an administrator has set', async () => {
    const client = await service({ limit: { max: 1, window: 60 } })
    expect([(await ask(client)).status, (await ask(client)).status]).toEqual([200, 429])
    await update(client.client_id, { requireDPoP: true, limit: { max: 9, window: 60 } })
    expect((await ask(client)).body.error).toBe('invalid_dpop_proof')
  })

  it('is not a client of users: no code, device or approval, and no user owns it', async () => {
    const client = await service()
    const device = await postForm(app, '/oauth2/device_authorization', { scope: 'openid' }, basic(client))
    expect(device.body.error).toBe('unauthorized_client')
    const approval = await postForm(app, '/oauth2/bc-authorize', { scope: 'openid', login_hint: 'a' }, basic(client))
    expect(approval.body.error).toBe('unauthorized_client')
    expect((await boss.get('/oauth2/clients')).body).toEqual([])
    expect((await boss.get('/admin/list-agents')).body).toEqual([])
    // The cron trigger deletes unused clients without an owner, and no service.
    pass(2 * 86_400)
    await app.runScheduled()
    expect((await ask(client)).status).toBe(200)
  })

  it('that expired is deleted 30 days later', async () => {
    await service({ days: 1 })
    pass(32 * 86_400)
    await app.runScheduled()
    expect(await count('oauth_applications')).toBe(0)
  })
})

describe('refusals', () => {
  it('an unknown resource or scope, a resource of an organization, private keys, two credentials, nothing to change', async () => {
    const codeOf = async (more: object) => (await create(more)).body.code
    for (const bad of [{}, { 'https://x.example': ['read'] }, { [api]: [] }, { [api]: ['mail:send'] }]) {
      expect(await codeOf({ access: bad })).toBe('INVALID_SERVICE_ACCESS')
    }
    const pair = await generateKeyPair('ES256', { extractable: true })
    const secretKey = await exportJWK(pair.privateKey)
    expect(await codeOf({ jwks: { keys: [secretKey] } })).toBe('INVALID_SERVICE_KEYS')
    expect(await codeOf({ jwksUri: 'http://keys.example/jwks' })).toBe('INVALID_SERVICE_KEYS')
    const { client_id: clientId } = await service()
    expect((await update(clientId, {})).body.code).toBe('NOTHING_TO_UPDATE')
    const keys = { jwks: { keys: [await exportJWK(pair.publicKey)] } }
    expect((await update(clientId, keys)).body.code).toBe('INVALID_SERVICE_KEYS')
    expect((await update('unknown', { name: 'X' })).body.code).toBe('SERVICE_NOT_FOUND')
  })

  it('a caller without the permission, and one whose authentication is old', async () => {
    const user = await plain(app, alice)
    for (const path of ['create-service', 'update-service', 'rotate-service-secret', 'delete-service']) {
      const { status } = await user.device.post(`/admin/${path}`, { clientId: 'a', name: 'A', access })
      expect({ path, status }).toEqual({ path, status: 403 })
    }
    await makeSessionsStale()
    expect((await create()).body.code).toBe('SESSION_IS_NOT_FRESH')
  })

  it('one more than 200', async () => {
    const at = new Date()
    const rows = Array.from({ length: 199 }, (_, n) => ({
      ...{ id: `s${n}`, clientId: `s${n}`, name: 'S', redirectURLs: [], type: 'web', state: 'active' as const },
      authenticationScheme: 'client_secret_basic',
      service: { access: {}, limit: { max: 1, window: 60 }, requireDPoP: false },
      registration: { grant_types: [], response_types: [] },
      ...{ createdAt: at, updatedAt: at },
    }))
    await insertRows('oauth_applications', ...rows)
    const { client_id: clientId } = await service()
    expect((await create()).body.code).toBe('SERVICE_LIMIT_REACHED')
    expect((await boss.get('/admin/list-resources')).body.services).toHaveLength(200)
    await boss.post('/admin/delete-service', { clientId })
    await service()
  })
})
