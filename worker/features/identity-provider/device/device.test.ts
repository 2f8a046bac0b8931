import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { claimsIn, postForm, type RegisteredClient, registerClient } from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
let app: TestApp
let user: Device
let tv: RegisteredClient

beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false } })
  user = await signUp(app, alice)
  tv = await registerClient(user, {
    client_name: 'TV',
    grant_types: [grantType, 'refresh_token'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'none',
  })
})

const begin = (scope = 'openid email offline_access') =>
  postForm(app, '/oauth2/device_authorization', { client_id: tv.client_id, scope })

const poll = (device_code: string, client_id = tv.client_id) =>
  postForm(app, '/oauth2/token', { grant_type: grantType, device_code, client_id })

async function later<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  vi.setSystemTime(Date.now() + seconds * 1000)
  return work()
}

describe('the device grant (RFC 8628)', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    return () => vi.useRealTimers()
  })

  it('a user approves the device on another screen', async () => {
    const { status, body } = await begin()
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        device_code: expect.stringMatching(/^\w{43}$/),
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        verification_uri: 'http://localhost:8787/device',
        verification_uri_complete: `http://localhost:8787/device?user_code=${body.user_code}`,
        expires_in: 600,
        interval: 5,
      },
    })
    const pending = await poll(body.device_code)
    expect(pending).toMatchObject({ status: 400, body: { error: 'authorization_pending' } })
    expect(pending.body.error_description).toBe('the user has not answered yet')
    expect((await poll(body.device_code)).body).toEqual({ error: 'slow_down', error_description: 'polled too soon' })
    const typed = body.user_code.toLowerCase().replace('-', ' ')
    const shown = await user.post('/oauth2/device/read', { user_code: typed })
    expect(shown.body).toEqual({
      client: { clientId: tv.client_id, name: 'TV', icon: null },
      scopes: ['openid', 'email', 'offline_access'],
      scopeWords: {},
      authorizationDetails: [],
      origin: { ipAddress: expect.any(String), place: { city: null, country: null } },
    })
    expect((await user.post('/oauth2/device/answer', { user_code: typed, accept: true })).body).toEqual({
      status: true,
    })
    expect((await user.post('/oauth2/device/answer', { user_code: typed, accept: false })).status).toBe(400)
    const tokens = await later(5, () => poll(body.device_code))
    expect(tokens.body).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) })
    expect(claimsIn(tokens.body.id_token).email).toBe(alice.email)
    // The user finds it among the connected applications and can disconnect it.
    const connections = await user.get('/oauth2/connections')
    expect(connections.body).toMatchObject([
      { clientId: tv.client_id, name: 'TV', scopes: ['openid', 'email', 'offline_access'] },
    ])
    const again = await later(5, () => poll(body.device_code))
    expect(again.body.error).toBe('invalid_grant')
  })

  it('the page may be at an address with a query', async () => {
    app = new TestApp({ rateLimit: { enabled: false }, identityProvider: { devicePage: '/app?page=device' } })
    const { body } = await begin()
    const page = 'http://localhost:8787/app?page=device'
    expect(body.verification_uri_complete).toBe(`${page}&user_code=${body.user_code}`)
  })

  it('a user who refuses', async () => {
    const { body } = await begin()
    await user.post('/oauth2/device/answer', { user_code: body.user_code, accept: false })
    const refused = await poll(body.device_code)
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: { error: 'access_denied', error_description: 'User denied access' },
    })
  })

  it('too late, unknown, or another client’s', async () => {
    const { body } = await begin()
    const other = await registerClient(user, { token_endpoint_auth_method: 'none', grant_types: [grantType] })
    const invalid = { error: 'invalid_grant', error_description: 'invalid device code' }
    expect((await poll(body.device_code, other.client_id)).body).toEqual(invalid)
    expect((await poll('unknown')).body).toEqual(invalid)
    expect((await poll('')).body).toEqual({ error: 'invalid_request', error_description: 'device_code is required' })
    expect((await later(601, () => poll(body.device_code))).body).toEqual({
      error: 'expired_token',
      error_description: 'device code expired',
    })
    const read = await user.post('/oauth2/device/read', { user_code: body.user_code })
    expect(read).toMatchObject({ status: 400, body: { code: 'INVALID_USER_CODE' } })
  })

  it('of twenty parallel answers one counts, and of twenty polls one gets tokens', async () => {
    const { body } = await begin()
    const answer = (accept: boolean) => user.post('/oauth2/device/answer', { user_code: body.user_code, accept })
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(true)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const polls = await Promise.all(Array.from({ length: 20 }, () => poll(body.device_code)))
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('a client, a scope or a session that does not fit', async () => {
    const web = await registerClient(user)
    const refused = await postForm(app, '/oauth2/device_authorization', {
      client_id: web.client_id,
      client_secret: web.client_secret,
    })
    expect(refused.body).toEqual({
      error: 'unauthorized_client',
      error_description: 'client may not use this grant type',
    })
    expect((await begin('wizard')).body.error).toBe('invalid_scope')
    expect((await app.device().post('/oauth2/device/read', { user_code: 'x' })).status).toBe(401)
  })

  it('codes cannot be guessed: ten tries in ten minutes', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      statuses.push((await user.post('/oauth2/device/read', { user_code: `BCDFGHJ${n}` })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
  })
})
