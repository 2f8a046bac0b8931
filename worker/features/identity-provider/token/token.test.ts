import { createHash } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  callback,
  claimsIn,
  codeOf,
  exchange,
  json,
  pkce,
  postForm,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'
import { count, rowsOf, updateRows } from '../../../testing/rows.ts'
import { banUsers, deleteUsers, invalidatePending, updateUsers } from '../../../testing/states.ts'

type World = Awaited<ReturnType<typeof start>>

async function start(metadata: object = {}, config: object = {}) {
  const app = new TestApp({ rateLimit: { enabled: false }, ...config })
  const device = await signUp(app, alice)
  const client = await registerClient(device, metadata)
  return { app, device, client }
}

/** A code of a new consent. */
async function codeFor({ device, client }: World, more: Record<string, string | undefined> = {}) {
  return codeOf(await agree(device, authorizationRequest(client, more)))
}

const offline = { scope: 'openid profile email offline_access', prompt: 'consent' }

const tokensFor = async (world: World, more: Record<string, string | undefined> = offline) =>
  (await exchange(world.app, world.client, await codeFor(world, more))).body

const refreshWith = ({ app, client }: World, refresh_token: string | undefined, more = {}) =>
  postForm(app, '/oauth2/token', { grant_type: 'refresh_token', refresh_token, ...client, ...more, ...known(client) })

/** A registration response contains more than credentials. */
const known = ({ client_id, client_secret }: { client_id: string; client_secret: string }) => ({
  client_id,
  client_secret,
  client_id_issued_at: undefined,
  client_secret_expires_at: undefined,
  redirect_uris: undefined,
  token_endpoint_auth_method: undefined,
  client_name: undefined,
  grant_types: undefined,
  response_types: undefined,
})

const userinfo = ({ app }: World, token: string) =>
  app.device().get('/oauth2/userinfo', { headers: { authorization: `Bearer ${token}` } })

const storedTokens = () => count('oauth_access_tokens')

describe('POST /oauth2/token, authorization_code', () => {
  it('200: tokens and an id token with the user, the time and the method of the sign-in', async () => {
    const world = await start()
    const user = (await world.device.get('/get-session')).body.user
    const code = await codeFor(world, { nonce: 'n-1' })
    const { status, headers, body, io } = await exchange(world.app, world.client, code)
    expect(status).toBe(200)
    expect({ cacheControl: headers.get('cache-control'), pragma: headers.get('pragma') }).toEqual({
      cacheControl: 'no-store',
      pragma: 'no-cache',
    })
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid profile email',
      id_token: expect.any(String),
    })
    expect({ d1: io.d1![0], durable: io.durable![0] }).toEqual({ d1: 2, durable: 1 })
    const claims = claimsIn(body.id_token)
    expect(claims).toEqual({
      iss: 'http://localhost:8787',
      sub: user.id,
      aud: world.client.client_id,
      iat: expect.any(Number),
      exp: claims.iat + 3600,
      auth_time: expect.any(Number),
      nonce: 'n-1',
      acr: 'urn:mace:incommon:iap:silver',
      amr: ['pwd'],
      sid: expect.any(String),
      name: 'Alice',
      given_name: 'Alice',
      updated_at: expect.any(Number),
      email: 'alice@example.com',
      email_verified: false,
    })
    expect(claims.auth_time).toBeLessThanOrEqual(claims.iat)
  })

  it('the id token of a user with a picture and two names has both names, and the time of the last change', async () => {
    const world = await start()
    const image = 'https://images.example.com/alice.png'
    await world.device.post('/update-user', { name: 'Alice Maria  Miller', image })
    const claims = claimsIn((await exchange(world.app, world.client, await codeFor(world))).body.id_token)
    const { user } = (await world.device.get('/get-session')).body
    expect(claims).toMatchObject({
      name: 'Alice Maria  Miller',
      given_name: 'Alice',
      family_name: 'Maria Miller',
      picture: image,
      profile: image,
      updated_at: Math.floor(Date.parse(user.updatedAt) / 1000),
    })
  })

  it('the id token is signed by the published keys: RS256, or EdDSA for who asked', async () => {
    for (const alg of ['RS256', 'EdDSA']) {
      const app = new TestApp({ rateLimit: { enabled: false }, mcp: { enabled: true } })
      const device = await signUp(app, { ...alice, email: `${alg.toLowerCase()}@example.com` })
      const client = await registerClient(device, { id_token_signed_response_alg: alg })
      const { id_token } = await tokensFor({ app, device, client })
      const { keys } = (await app.device().get('/mcp/jwks')).body
      const header = JSON.parse(Buffer.from(id_token.split('.')[0], 'base64url').toString())
      expect(header.alg).toBe(alg)
      const key = keys.find(({ kid }: { kid: string }) => kid === header.kid)
      const issuer = 'http://localhost:8787'
      await jwtVerify(id_token, await importJWK(key, alg), { issuer, audience: client.client_id })
    }
  })

  it('only with openid there is an id token, only with offline_access a refresh token, only with a scope its claims', async () => {
    const world = await start()
    expect(Object.keys(await tokensFor(world, { scope: 'email' }))).not.toContain('id_token')
    const minimal = await tokensFor(world, { scope: undefined })
    expect(minimal.scope).toBe('openid')
    expect(minimal.refresh_token).toBeUndefined()
    expect(Object.keys(claimsIn(minimal.id_token)).sort()).toEqual(
      ['acr', 'amr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'sid', 'sub'].sort(),
    )
    expect((await tokensFor(world)).refresh_token).toMatch(/^[\w-]{43}$/)
  })

  it.each([
    ['a Basic header', (c: any) => [{}, basic(c)]],
    ['the body', (c: any) => [{ client_id: c.client_id, client_secret: c.client_secret }, {}]],
  ] as const)('the client authenticates by %s', async (_what, credentials) => {
    const world = await start()
    const [parameters, headers] = credentials(world.client) as [Record<string, string>, Record<string, string>]
    const answer = await postForm(
      world.app,
      '/oauth2/token',
      { grant_type: 'authorization_code', code: await codeFor(world), redirect_uri: callback, ...parameters },
      headers,
    )
    expect(answer.status).toBe(200)
  })

  it('a JSON body is taken as well', async () => {
    const world = await start()
    const { client_id, client_secret } = world.client
    const body = { grant_type: 'authorization_code', code: await codeFor(world), redirect_uri: callback }
    const { status } = await world.app
      .device()
      .post('/oauth2/token', { ...body, client_id, client_secret }, { headers: { origin: '', ...json } })
    expect(status).toBe(200)
  })

  it('any site may call it without cookies, and read the answer', async () => {
    const world = await start()
    const headers = { origin: 'https://spa.example.org' }
    const answer = await postForm(world.app, '/oauth2/token', { grant_type: 'x' }, headers)
    expect({ status: answer.status, allowOrigin: answer.headers.get('access-control-allow-origin') }).toEqual({
      status: 400,
      allowOrigin: '*',
    })
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it.each<[string, object, number, string, string]>([
    ['no grant_type', { grant_type: undefined }, 400, 'invalid_request', 'grant_type is required'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type', 'unsupported grant type'],
    ['an inherited name', { grant_type: 'constructor' }, 400, 'unsupported_grant_type', 'unsupported grant type'],
    ['no code', { code: undefined }, 400, 'invalid_request', 'code is required'],
    ['no redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request', 'redirect_uri is required'],
    ['an unknown code', { code: 'bad' }, 400, 'invalid_grant', 'invalid code'],
    [
      'another redirect_uri',
      { redirect_uri: 'https://client.example.com/cb2' },
      400,
      'invalid_grant',
      'invalid redirect_uri',
    ],
    [
      'no client',
      { client_id: undefined, client_secret: undefined },
      401,
      'invalid_client',
      'client_id and client_secret are required',
    ],
    ['no secret', { client_secret: undefined }, 401, 'invalid_client', 'client_id and client_secret are required'],
    ['a wrong secret', { client_secret: 'bad' }, 401, 'invalid_client', 'invalid client_secret'],
    ['an unknown client', { client_id: 'bad' }, 401, 'invalid_client', 'invalid client_id'],
    [
      'a verifier where there was no challenge',
      { code_verifier: 'v'.repeat(43) },
      400,
      'invalid_grant',
      'code verification failed',
    ],
    ['another resource', { resource: 'https://x.example' }, 400, 'invalid_target', 'the resource was not granted'],
    [
      'an assertion of a client with a secret',
      { client_secret: undefined, client_assertion: 'e.e.e', client_assertion_type: 'x' },
      401,
      'invalid_client',
      'invalid client_assertion_type',
    ],
  ])('%s, and the code is not used up', async (_what, more, expected, error, error_description) => {
    const world = await start()
    const code = await codeFor(world)
    const { status, body, headers } = await exchange(world.app, world.client, code, more as never)
    expect({ status, body }).toEqual({ status: expected, body: { error, error_description } })
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await exchange(world.app, world.client, code)).status).toBe(200)
  })

  it.each<[string, string, Record<string, string>, number, string, string]>([
    ['no body', '', {}, 400, 'invalid_request', 'request body not found'],
    ['broken JSON', '{', json, 400, 'invalid_request', 'request body is not valid JSON'],
    ['a JSON list', '[1]', json, 400, 'invalid_request', 'request body is not an object'],
    [
      'a repeated parameter',
      'grant_type=authorization_code&code=a&code=b',
      {},
      400,
      'invalid_request',
      'code must not be repeated',
    ],
    [
      'a broken Basic header',
      'grant_type=authorization_code&code=x&redirect_uri=x',
      { authorization: 'Basic %%%' },
      401,
      'invalid_client',
      'invalid authorization header format',
    ],
    [
      'two ways at once',
      'grant_type=authorization_code&code=x&redirect_uri=x&client_secret=y',
      basic({ client_id: 'a', client_secret: 'b' }),
      400,
      'invalid_request',
      'more than one way of client authentication',
    ],
    [
      'two clients at once',
      'grant_type=authorization_code&code=x&redirect_uri=x&client_id=other',
      basic({ client_id: 'a', client_secret: 'b' }),
      400,
      'invalid_request',
      'client_id does not match the authorization header',
    ],
  ])('%s', async (_what, text, more, expected, error, error_description) => {
    const headers = { origin: '', 'content-type': 'application/x-www-form-urlencoded', ...more }
    const answer = await new TestApp().device().post('/oauth2/token', text, { headers })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: expected,
      body: { error, error_description },
    })
    if (expected === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  it('a secret with special characters is accepted plain and form-encoded (RFC 6749, appendix B)', async () => {
    const clientSecret = 'a+b/c%d:e==1234567890'
    const trusted = { clientId: 'shop', clientSecret, name: 'Shop', redirectURLs: [callback] }
    const app = new TestApp({ rateLimit: { enabled: false }, identityProvider: { trustedClients: [trusted] } })
    const ask = async (secret: string) => {
      const headers = basic({ client_id: 'shop', client_secret: secret })
      return (await postForm(app, '/oauth2/introspect', { token: 'x' }, headers)).status
    }
    expect(await ask(clientSecret)).toBe(200)
    expect(await ask(encodeURIComponent(clientSecret))).toBe(200)
    expect(await ask(clientSecret.replace('+', ' '))).toBe(401)
  })

  it.each([['v'.repeat(42)], ['v'.repeat(129)], [`${'v'.repeat(43)}!`]])(
    '400: the verifier %s, although it hashes to the challenge (RFC 7636, section 4.1)',
    async (code_verifier) => {
      const world = await start()
      const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
      const code = await codeFor(world, { code_challenge, code_challenge_method: 'S256' })
      const { status, body } = await exchange(world.app, world.client, code, { code_verifier })
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' })
    },
  )

  it('no refresh token: without offline_access, or for a client without the grant (RFC 7591, section 2)', async () => {
    const world = await start()
    expect((await tokensFor(world, { scope: 'openid' })).refresh_token).toBeUndefined()
    expect((await tokensFor(world)).refresh_token).toEqual(expect.any(String))
    const without = { ...world, client: await registerClient(world.device, { grant_types: ['authorization_code'] }) }
    const tokens = await tokensFor(without)
    expect(tokens.scope).toContain('offline_access')
    expect(tokens.refresh_token).toBeUndefined()
  })

  it('a disabled client gets nothing', async () => {
    const world = await start()
    const code = await codeFor(world)
    await world.device.post('/oauth2/update-client', { clientId: world.client.client_id, disabled: true })
    const { status, body } = await exchange(world.app, world.client, code)
    expect({ status, description: body.error_description }).toEqual({ status: 401, description: 'client is disabled' })
  })

  it('a code is for the client that it was given to', async () => {
    const world = await start()
    const code = await codeFor(world)
    const mallory = await registerClient(await signUp(world.app, bob))
    const { status, body } = await exchange(world.app, mallory, code)
    expect({ status, description: body.error_description }).toEqual({ status: 400, description: 'invalid code' })
    expect((await exchange(world.app, world.client, code)).status).toBe(200)
  })

  it('a code expires after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const world = await start()
      const code = await codeFor(world)
      vi.setSystemTime(Date.now() + 601_000)
      const { status, body } = await exchange(world.app, world.client, code)
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: 'invalid_grant', error_description: 'code expired' },
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('of twenty parallel exchanges one gets tokens, which end immediately', async () => {
    const world = await start()
    const code = await codeFor(world, offline)
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(world.app, world.client, code)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer !== won[0])) {
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: 'invalid_grant', error_description: 'invalid code' },
      })
    }
    expect((await userinfo(world, won[0]!.body.access_token)).status).toBe(401)
    expect((await refreshWith(world, won[0]!.body.refresh_token)).status).toBe(400)
    expect(await storedTokens()).toBe(0)
  })

  it('a code that comes again ends what it was exchanged for', async () => {
    const world = await start()
    const code = await codeFor(world)
    const { body } = await exchange(world.app, world.client, code)
    expect((await userinfo(world, body.access_token)).status).toBe(200)
    expect((await exchange(world.app, world.client, code)).body.error).toBe('invalid_grant')
    expect((await userinfo(world, body.access_token)).status).toBe(401)
    expect((await exchange(world.app, world.client, code)).body.error).toBe('invalid_grant')
  })

  it('nothing that is stored can be used', async () => {
    const world = await start()
    const tokens = await tokensFor(world)
    const stored = JSON.stringify([await rowsOf('oauth_access_tokens'), await rowsOf('oauth_applications')])
    for (const secret of [tokens.access_token, tokens.refresh_token, world.client.client_secret]) {
      expect(stored).not.toContain(secret)
    }
  })

  it('a user who was banned or deleted in the meantime gets no tokens', async () => {
    const world = await start()
    const code = await codeFor(world)
    await banUsers()
    const { status, body } = await exchange(world.app, world.client, code)
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'user not found' },
    })
  })
})

describe('PKCE', () => {
  it.each([
    ['S256', 'S256'],
    ['s256, as some write it', 's256'],
  ])('%s', async (_what, code_challenge_method) => {
    const world = await start()
    const { verifier, request } = pkce()
    const code = await codeFor(world, { ...request, code_challenge_method })
    const wrong = await exchange(world.app, world.client, code, { code_verifier: pkce().verifier })
    expect({ status: wrong.status, body: wrong.body }).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'code verification failed' },
    })
    const missing = await exchange(world.app, world.client, code)
    expect({ status: missing.status, body: missing.body }).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: 'code verifier is missing' },
    })
    // The challenge, which an attacker may have seen, is not a verifier.
    const downgraded = await exchange(world.app, world.client, code, { code_verifier: request.code_challenge })
    expect(downgraded.status).toBe(400)
    expect((await exchange(world.app, world.client, code, { code_verifier: verifier })).status).toBe(200)
  })

  it('plain, for a confidential client', async () => {
    const world = await start()
    const { verifier } = pkce()
    const code = await codeFor(world, { code_challenge: verifier })
    expect((await exchange(world.app, world.client, code, { code_verifier: verifier })).status).toBe(200)
  })

  it('a public client needs no secret, but the verifier', async () => {
    const world = await start({ token_endpoint_auth_method: 'none' })
    const { verifier, request } = pkce()
    const code = await codeFor(world, request)
    const parameters = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: world.client.client_id,
    }
    const without = await postForm(world.app, '/oauth2/token', parameters)
    expect(without.body.error_description).toBe('code verifier is missing')
    const { status } = await postForm(world.app, '/oauth2/token', { ...parameters, code_verifier: verifier })
    expect(status).toBe(200)
  })
})

describe('POST /oauth2/token, refresh_token', () => {
  it('200: the next pair; the same refresh token again, within seconds, gets the same answer', async () => {
    const world = await start()
    const first = await tokensFor(world)
    const { status, body, headers, io } = await refreshWith(world, first.refresh_token)
    expect({ status, cacheControl: headers.get('cache-control') }).toEqual({ status: 200, cacheControl: 'no-store' })
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: first.scope })
    expect(body.refresh_token).not.toBe(first.refresh_token)
    expect(body.access_token).not.toBe(first.access_token)
    expect({ d1: io.d1![0], durable: io.durable![0] }).toEqual({ d1: 2, durable: 0 })
    expect(claimsIn(body.id_token)).toMatchObject({
      sub: claimsIn(first.id_token).sub,
      auth_time: claimsIn(first.id_token).auth_time,
    })
    expect((await userinfo(world, body.access_token)).status).toBe(200)
    const lost = await refreshWith(world, first.refresh_token)
    expect({ accessToken: lost.body.access_token, refreshToken: lost.body.refresh_token }).toEqual({
      accessToken: body.access_token,
      refreshToken: body.refresh_token,
    })
    expect((await refreshWith(world, body.refresh_token)).status).toBe(200)
  })

  it('429 slow_down beyond 60 in ten minutes, which stores nothing; the refresh token stays valid', async () => {
    const world = await start()
    let { refresh_token: current } = await tokensFor(world)
    const again = async () => refreshWith(world, current)
    for (let n = 1; n < 60; n++) current = (await again()).body.refresh_token
    const { status, body, headers } = await again()
    expect({ status, error: body.error, wait: headers.get('retry-after') }).toEqual({
      ...{ status: 429, error: 'slow_down', wait: '600' },
    })
    vi.setSystemTime(Date.now() + 601_000)
    expect((await again()).status).toBe(200)
  })

  it.each(['/revoke-sessions', '/revoke-other-sessions'])(
    '%s ends the access of applications where that is asked for, and only the caller’s',
    async (path) => {
      const world = await start()
      const other = { ...world, device: await signUp(world.app, bob) }
      const [own, kept] = [await tokensFor(world), await tokensFor(other)]
      const pending = await codeFor(world)
      expect((await world.device.post('/revoke-other-sessions', {})).status).toBe(200)
      expect((await userinfo(world, own.access_token)).status).toBe(200)
      expect((await world.device.post('/revoke-other-sessions', { applications: false })).status).toBe(200)
      expect((await userinfo(world, own.access_token)).status).toBe(200)

      const { status, io } = await world.device.post(path, { applications: true })
      expect({ status, d1: io.d1![0] }).toEqual({ status: 200, d1: 2 })
      expect((await userinfo(world, own.access_token)).status).toBe(401)
      expect((await refreshWith(world, own.refresh_token)).body.error).toBe('invalid_grant')
      expect((await exchange(world.app, world.client, pending)).body.error).toBe('invalid_grant')
      expect((await userinfo(world, kept.access_token)).status).toBe(200)
      expect((await refreshWith(other, kept.refresh_token)).status).toBe(200)
      expect(await count('oauth_consents')).toBe(1)
    },
  )

  it('reuse ends everything: after the grace, or once the next one was used', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const world = await start()
      const first = await tokensFor(world)
      const second = (await refreshWith(world, first.refresh_token)).body
      vi.setSystemTime(Date.now() + 11_000)
      const { status, body } = await refreshWith(world, first.refresh_token)
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: 'invalid_grant', error_description: 'invalid refresh token' },
      })
      expect((await userinfo(world, second.access_token)).status).toBe(401)
      expect((await refreshWith(world, second.refresh_token)).status).toBe(400)
      expect(await storedTokens()).toBe(0)

      const again = await tokensFor(world)
      const next = (await refreshWith(world, again.refresh_token)).body
      const last = (await refreshWith(world, next.refresh_token)).body
      expect((await refreshWith(world, again.refresh_token)).status).toBe(400)
      expect((await refreshWith(world, last.refresh_token)).status).toBe(400)
    } finally {
      vi.useRealTimers()
    }
  })

  it('of twenty parallel exchanges one rotates, and all agree', async () => {
    const world = await start()
    const first = await tokensFor(world)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refreshWith(world, first.refresh_token)))
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await storedTokens()).toBe(2)
  })

  it('without a grace one of twenty wins, and the reuse ends what it won', async () => {
    const world = await start({}, { identityProvider: { refreshTokenGrace: 0 } })
    const first = await tokensFor(world)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refreshWith(world, first.refresh_token)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect((await refreshWith(world, won[0]!.body.refresh_token)).status).toBe(400)
    expect(await storedTokens()).toBe(0)
  })

  it.each<[string, object, number, string, string]>([
    ['no refresh token', { refresh_token: undefined }, 400, 'invalid_request', 'refresh_token is required'],
    ['an unknown one', { refresh_token: 'bad' }, 400, 'invalid_grant', 'invalid refresh token'],
    ['more scopes', { scope: 'openid wizard' }, 400, 'invalid_scope', 'The following scopes are invalid: wizard'],
    ['another resource', { resource: 'https://x.example' }, 400, 'invalid_target', 'the resource was not granted'],
  ])('%s', async (_what, more, expected, error, error_description) => {
    const world = await start()
    const { refresh_token } = await tokensFor(world)
    const { status, body } = await postForm(world.app, '/oauth2/token', {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: world.client.client_id,
      client_secret: world.client.client_secret,
      ...more,
    })
    expect({ status, body }).toEqual({ status: expected, body: { error, error_description } })
    expect((await refreshWith(world, refresh_token)).status).toBe(200)
  })

  it('the client authenticates, and the token is its own', async () => {
    const world = await start()
    const { refresh_token, access_token } = await tokensFor(world)
    const bad = await postForm(
      world.app,
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token },
      basic({ ...world.client, client_secret: 'bad' }),
    )
    expect(bad).toMatchObject({ status: 401, body: { error_description: 'invalid client_secret' } })
    const mallory = await registerClient(await signUp(world.app, bob))
    const foreign = await postForm(
      world.app,
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token },
      basic(mallory),
    )
    expect(foreign).toMatchObject({ status: 400, body: { error_description: 'invalid refresh token' } })
    // The attempt of another client does not end the grant.
    expect((await userinfo(world, access_token)).status).toBe(200)
    expect((await refreshWith(world, refresh_token)).status).toBe(200)
  })

  it('scopes shrink permanently', async () => {
    const world = await start()
    const { refresh_token } = await tokensFor(world)
    const { body } = await refreshWith(world, refresh_token, { scope: 'openid email' })
    expect(body.scope).toBe('openid email')
    expect((await refreshWith(world, body.refresh_token, { scope: 'openid profile' })).body.error).toBe('invalid_scope')
  })

  it('expires after seven days', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const world = await start()
      const { refresh_token } = await tokensFor(world)
      vi.setSystemTime(Date.now() + 7 * 86_400_000 + 1000)
      const { status, body } = await refreshWith(world, refresh_token)
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: 'invalid_grant', error_description: 'refresh token expired' },
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('expires 90 days after the authorization despite rotations, and names the sign-in method', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const world = await start()
      const begin = Date.now()
      const at = (day: number) => vi.setSystemTime(begin + day * 86_400_000)
      let { refresh_token } = await tokensFor(world)
      for (let day = 6; day < 90; day += 6) {
        at(day)
        const { status, body } = await refreshWith(world, refresh_token)
        expect({ day, status, amr: claimsIn(body.id_token).amr }).toEqual({ day, status: 200, amr: ['pwd'] })
        refresh_token = body.refresh_token
      }
      at(90)
      const { status, body } = await refreshWith(world, refresh_token)
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: 'invalid_grant', error_description: 'refresh token expired' },
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('identityProvider.refreshTokenMaxLifetime; a row of an earlier version counts from its own creation', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const world = await start({}, { identityProvider: { refreshTokenMaxLifetime: 86_400 } })
      const first = await tokensFor(world)
      await updateRows('oauth_access_tokens', { grantedAt: new Date(0) })
      vi.setSystemTime(Date.now() + 43_200_000)
      const { status, body } = await refreshWith(world, first.refresh_token)
      expect(status).toBe(200)
      vi.setSystemTime(Date.now() + 43_201_000)
      expect((await refreshWith(world, body.refresh_token)).body.error_description).toBe('refresh token expired')
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends with a ban, with a reset password, and with its user', async () => {
    const world = await start()
    const { refresh_token, access_token } = await tokensFor(world)
    await banUsers()
    expect((await userinfo(world, access_token)).status).toBe(401)
    const { status, body } = await refreshWith(world, refresh_token)
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'user not found' },
    })
    await updateUsers({ banned: false })
    await invalidatePending()
    expect((await userinfo(world, access_token)).status).toBe(401)
    expect((await refreshWith(world, refresh_token)).status).toBe(400)
    await deleteUsers()
    expect(await storedTokens()).toBe(0)
  })

  it('the cron trigger deletes useless rows', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const world = await start()
      await tokensFor(world)
      await tokensFor(world, {})
      vi.setSystemTime(Date.now() + 2 * 3_600_000)
      await world.app.runScheduled()
      expect(await storedTokens()).toBe(1)
      vi.setSystemTime(Date.now() + 8 * 86_400_000)
      await world.app.runScheduled()
      expect(await storedTokens()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
