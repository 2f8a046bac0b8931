import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  callback,
  codeOf,
  exchange,
  postForm,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'
import { deleteRows } from '../../../testing/rows.ts'

async function start() {
  const app = new TestApp({ rateLimit: { enabled: false } })
  const device = await signUp(app, alice)
  const client = await registerClient(device)
  const query = authorizationRequest(client, { scope: 'openid email offline_access', prompt: 'consent' })
  const { body: tokens } = await exchange(app, client, codeOf(await agree(device, query)))
  return { app, device, client, tokens }
}

let world: Awaited<ReturnType<typeof start>>
beforeEach(async () => {
  world = await start()
})

const ask = (path: string, token: string | undefined, client = world.client) =>
  postForm(world.app, path, { token }, basic(client))
const introspect = async (token: string, client = world.client) => (await ask('/oauth2/introspect', token, client)).body
const refresh = () =>
  postForm(
    world.app,
    '/oauth2/token',
    { grant_type: 'refresh_token', refresh_token: world.tokens.refresh_token },
    basic(world.client),
  )

describe('POST /oauth2/introspect', () => {
  it('200: what a token is good for; one round trip', async () => {
    const { status, body, headers, io } = await ask('/oauth2/introspect', world.tokens.access_token)
    expect({ status, cacheControl: headers.get('cache-control'), d1: io.d1![0] }).toEqual({
      status: 200,
      cacheControl: 'no-store',
      d1: 1,
    })
    expect(body).toEqual({
      active: true,
      scope: 'openid email offline_access',
      client_id: world.client.client_id,
      username: alice.email,
      token_type: 'Bearer',
      exp: expect.any(Number),
      iat: expect.any(Number),
      sub: expect.any(String),
      aud: world.client.client_id,
      iss: 'http://localhost:8787',
      acr: 'urn:mace:incommon:iap:silver',
      auth_time: expect.any(Number),
    })
    expect(body.exp - body.iat).toBe(3600)
    const refreshToken = await introspect(world.tokens.refresh_token)
    expect({ active: refreshToken.active, lifetime: refreshToken.exp - refreshToken.iat }).toEqual({
      active: true,
      lifetime: 604_800,
    })
  })

  it('200: `active: false` only: unknown, used, expired, or another client’s', async () => {
    const nothing = { active: false }
    expect(await introspect('unknown')).toEqual(nothing)
    const mallory = await registerClient(await signUp(world.app, bob))
    expect(await introspect(world.tokens.access_token, mallory)).toEqual(nothing)
    await refresh()
    expect(await introspect(world.tokens.refresh_token)).toEqual(nothing)
    expect((await introspect(world.tokens.access_token)).active).toBe(true)
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      vi.setSystemTime(Date.now() + 3_601_000)
      expect(await introspect(world.tokens.access_token)).toEqual(nothing)
    } finally {
      vi.useRealTimers()
    }
  })

  it('200: no username without the token’s scopes', async () => {
    const nameFor = async (scope: string) => {
      const query = authorizationRequest(world.client, { scope })
      const { body } = await exchange(world.app, world.client, codeOf(await agree(world.device, query)))
      return (await introspect(body.access_token)).username
    }
    expect(await nameFor('openid')).toBeUndefined()
    expect(await nameFor('openid profile')).toBeUndefined()
    expect(await nameFor('openid email')).toBe(alice.email)
    await world.device.post('/update-user', { username: 'alice_a' })
    expect(await nameFor('openid email')).toBe(alice.email)
    expect(await nameFor('openid profile')).toBe('alice_a')
  })

  describe('by a resource server', () => {
    const resource = 'https://api.example.com'
    const identityProvider = { resources: [resource] }

    async function resourceServer(more: { metadata?: object } = {}) {
      const app = new TestApp({ rateLimit: { enabled: false }, identityProvider })
      const developer = await signUp(app, bob)
      const server = await registerClient(developer, more)
      const tokenOf = async (client: typeof server) => {
        const query = authorizationRequest(client, { resource })
        return (await exchange(app, client, codeOf(await agree(developer, query)))).body.access_token as string
      }
      const isActive = async (token: string, asked = app) =>
        (await postForm(asked, '/oauth2/introspect', { token }, basic(server))).body.active
      return { app, developer, server, tokenOf, isActive }
    }

    it('200: active for the tokens of its resource, until their client is disabled or deleted', async () => {
      const { developer, server, tokenOf, isActive } = await resourceServer()
      const resourceServers = { [server.client_id]: [`${resource}/`] }
      const app = new TestApp({
        rateLimit: { enabled: false },
        identityProvider: { ...identityProvider, resourceServers },
      })
      const other = await registerClient(developer)
      const first = await tokenOf(other)
      expect(await isActive(first, app)).toBe(true)
      await developer.post('/oauth2/update-client', { clientId: other.client_id, disabled: true })
      expect(await isActive(first, app)).toBe(false)
      const another = await registerClient(developer)
      const second = await tokenOf(another)
      expect(await isActive(second, app)).toBe(true)
      await deleteRows('oauth_applications', { clientId: another.client_id })
      expect(await isActive(second, app)).toBe(false)
    })

    it('200: not active for a client that names the resource in its own registration', async () => {
      const { developer, tokenOf, isActive } = await resourceServer({ metadata: { resources: [resource] } })
      expect(await isActive(await tokenOf(await registerClient(developer)))).toBe(false)
    })

    it('200: active after ServerApi.setClientResources, and no longer after an empty list', async () => {
      const { app, developer, server, tokenOf, isActive } = await resourceServer()
      const token = await tokenOf(await registerClient(developer))
      expect(await isActive(token)).toBe(false)
      const api = app.serverApi()
      const clientId = server.client_id
      const set = await api.setClientResources({ clientId, resources: [resource] })
      expect(set).toEqual({ ok: true, result: { clientId, resources: [resource] } })
      expect(await isActive(token)).toBe(true)
      await api.setClientResources({ clientId, resources: [] })
      expect(await isActive(token)).toBe(false)
      const unknown = await api.setClientResources({ clientId: 'unknown', resources: [] })
      expect(unknown).toMatchObject({ ok: false, code: 'CLIENT_NOT_FOUND' })
      const malformed = await api.setClientResources({ clientId, resources: ['no address'] })
      expect(malformed).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' })
    })
  })

  it('400 and 401', async () => {
    const missing = await ask('/oauth2/introspect', undefined)
    expect(missing).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const wrong = await ask('/oauth2/introspect', 'x', { ...world.client, client_secret: 'bad' })
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    const visitor = await postForm(world.app, '/oauth2/introspect', { token: world.tokens.access_token })
    expect(visitor.status).toBe(401)
    // For every authentication scheme (RFC 9110, section 15.5.2).
    expect(visitor.headers.get('www-authenticate')).toBe('Basic realm="oauth2"')
    const pub = await registerClient(world.device, { token_endpoint_auth_method: 'none' })
    const open = await postForm(world.app, '/oauth2/introspect', { token: 'x', client_id: pub.client_id })
    expect(open).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })
})

describe('POST /oauth2/revoke', () => {
  it('200: an access token ends alone', async () => {
    expect((await ask('/oauth2/revoke', world.tokens.access_token)).status).toBe(200)
    expect(await introspect(world.tokens.access_token)).toEqual({ active: false })
    expect((await introspect(world.tokens.refresh_token)).active).toBe(true)
  })

  it('200: a refresh token ends with everything that came from its authorization', async () => {
    expect((await ask('/oauth2/revoke', world.tokens.refresh_token)).status).toBe(200)
    expect(await introspect(world.tokens.access_token)).toEqual({ active: false })
    expect((await refresh()).body.error).toBe('invalid_grant')
  })

  it('200: an unknown token, or another client’s, and nothing ends', async () => {
    const mallory = await registerClient(await signUp(world.app, bob))
    for (const token of ['unknown', world.tokens.access_token, world.tokens.refresh_token]) {
      const { status, body } = await ask('/oauth2/revoke', token, mallory)
      expect({ status, body }).toEqual({ status: 200, body: {} })
    }
    expect((await introspect(world.tokens.access_token)).active).toBe(true)
    expect((await refresh()).status).toBe(200)
  })

  it('400 and 401', async () => {
    expect((await ask('/oauth2/revoke', undefined)).status).toBe(400)
    expect((await ask('/oauth2/revoke', 'x', { ...world.client, client_secret: 'bad' })).status).toBe(401)
  })
})

describe('connected applications', () => {
  it('are listed with what they may and when they last came, and withdrawn with every token', async () => {
    const { app, device, client, tokens } = world
    const list = await device.get('/oauth2/connections')
    expect({ status: list.status, d1: list.io.d1![0] }).toEqual({ status: 200, d1: 1 })
    expect(list.body).toEqual([
      {
        clientId: client.client_id,
        name: 'Client One',
        icon: null,
        scopes: expect.arrayContaining(['openid', 'email', 'offline_access']),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ])
    const other = await signUp(app, bob)
    expect((await other.get('/oauth2/connections')).body).toEqual([])
    const foreign = await other.post('/oauth2/delete-connection', { clientId: client.client_id })
    expect(foreign).toMatchObject({ status: 404, body: { code: 'CONNECTION_NOT_FOUND' } })
    const { status, body } = await device.post('/oauth2/delete-connection', { clientId: client.client_id })
    expect({ status, body }).toEqual({ status: 200, body: { status: true } })
    expect(await introspect(tokens.access_token)).toEqual({ active: false })
    expect((await refresh()).status).toBe(400)
    expect((await device.get('/oauth2/connections')).body).toEqual([])
    expect((await app.device().get('/oauth2/connections')).status).toBe(401)
  })
})

describe('a connection that was withdrawn', () => {
  it('leaves nothing behind: a code that was given before is good for nothing after', async () => {
    const { app, device, client } = world
    const code = codeOf(await agree(device, authorizationRequest(client)))
    await device.post('/oauth2/delete-connection', { clientId: client.client_id })
    const { status, body } = await exchange(app, client, code)
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' })
    // A new consent issues new tokens.
    expect((await exchange(app, client, codeOf(await agree(device, authorizationRequest(client))))).status).toBe(200)
  })
})

describe('the clients of a developer', () => {
  it('are listed, changed, given a new secret, disabled and deleted by their developer alone', async () => {
    const { app, device, client, tokens } = world
    const clientId = client.client_id
    const list = await device.get('/oauth2/clients')
    expect({ status: list.status, d1: list.io.d1![0] }).toEqual({ status: 200, d1: 1 })
    expect(list.body).toEqual([
      {
        clientId,
        name: 'Client One',
        icon: null,
        uri: null,
        redirectURLs: [callback],
        scopes: [],
        authenticationMethod: 'client_secret_basic',
        disabled: false,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    const other = await signUp(app, bob)
    for (const [path, body] of [
      ['/oauth2/update-client', { clientId, name: 'Mine' }],
      ['/oauth2/rotate-client-secret', { clientId }],
      ['/oauth2/delete-client', { clientId }],
    ] as const) {
      const foreign = await other.post(path, body)
      expect({ path, status: foreign.status, code: foreign.body.code }).toEqual({
        path,
        status: 404,
        code: 'CLIENT_NOT_FOUND',
      })
      expect((await app.device().post(path, body)).status).toBe(401)
    }
    const redirectURLs = ['https://client.example.com/new']
    const changed = await device.post('/oauth2/update-client', { clientId, name: 'New name', redirectURLs })
    expect(changed).toMatchObject({ status: 200, body: { name: 'New name', redirectURLs } })
    const bad = await device.post('/oauth2/update-client', { clientId, redirectURLs: ['javascript:alert(1)'] })
    expect(bad).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
    expect((await device.post('/oauth2/update-client', { clientId })).body.code).toBe('NOTHING_TO_UPDATE')
    const named = await device.post('/oauth2/update-client', { clientId, name: 'Gatehouse' })
    expect(named).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } })
    const native = { redirectURLs: ['com.example.app:/cb'] }
    expect((await device.post('/oauth2/update-client', { clientId, ...native })).body.error).toBe(
      'invalid_redirect_uri',
    )
    const nativeApp = (await registerClient(device, { application_type: 'native' })).client_id
    expect((await device.post('/oauth2/update-client', { clientId: nativeApp, ...native })).status).toBe(200)
    await device.post('/oauth2/delete-client', { clientId: nativeApp })

    const pairwise = (await registerClient(device, { subject_type: 'pairwise' })).client_id
    const move = (redirectURLs: string[]) => device.post('/oauth2/update-client', { clientId: pairwise, redirectURLs })
    const moved = await move(['https://other.example.com/cb'])
    expect(moved).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
    expect((await move(['https://client.example.com.evil.example/cb'])).status).toBe(400)
    expect((await move(redirectURLs)).status).toBe(200)
    expect((await move(['https://CLIENT.example.com?x=1'])).status).toBe(200)
    expect((await move(['https://client.example.com:443/cb'])).status).toBe(200)
    const theirs = { clientId: pairwise, redirectURLs: ['https://other.example.com/cb'] }
    expect((await other.post('/oauth2/update-client', theirs)).body.code).toBe('CLIENT_NOT_FOUND')
    expect((await device.post('/oauth2/update-client', { clientId: pairwise, name: 'Pair' })).status).toBe(200)
    await device.post('/oauth2/delete-client', { clientId: pairwise })

    const rotated = await device.post('/oauth2/rotate-client-secret', { clientId })
    expect(rotated.body).toEqual({ clientId, clientSecret: expect.stringMatching(/^[a-zA-Z]{32}$/) })
    expect((await ask('/oauth2/introspect', 'x')).status).toBe(401)
    const renewed = { client_id: clientId, client_secret: rotated.body.clientSecret }
    expect((await introspect(tokens.access_token, renewed)).active).toBe(true)

    await device.post('/oauth2/update-client', { clientId, disabled: true })
    expect((await ask('/oauth2/introspect', 'x', renewed)).body.error_description).toBe('client is disabled')
    expect((await device.post('/oauth2/delete-client', { clientId })).body).toEqual({ status: true })
    expect((await device.get('/oauth2/clients')).body).toEqual([])
    expect((await device.get('/oauth2/connections')).body).toEqual([])
    const gone = await app.device().get('/oauth2/userinfo', {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(gone.status).toBe(401)
  })
})
