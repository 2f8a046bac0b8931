import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, env, origin, TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { apple } from '../../testing/outside/social/apple.ts'
import { github } from '../../testing/outside/social/github.ts'
import { google } from '../../testing/outside/social/google.ts'
import { comeBack, errorAt, errorPage, locationOf, startAt, walk } from '../../testing/outside/walk.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count, storedRow } from '../../testing/rows.ts'
import { banUsers, updateUsers, verifyAddresses } from '../../testing/states.ts'
import { signUpProtected, stopClock } from '../../testing/two-factor.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const atGoogle = () => new OAuthProvider(google).install()

/** With a client secret that was signed beforehand. */
const atApple = () => new OAuthProvider({ ...apple, clientSecret: 'signed.client.secret' }).install()

const appWith = (provider: OAuthProvider, more: object = {}) =>
  new TestApp({
    rateLimit: { enabled: false },
    socialProviders: { [provider.documentation.id]: provider.options },
    ...more,
  })

describe('/sign-in/social', () => {
  it('404: a provider that is unknown or not configured', async () => {
    const device = new TestApp().device()
    for (const provider of ['nope', 'github', '__proto__', 'constructor']) {
      const answer = await device.post('/sign-in/social', { provider, callbackURL: '/' })
      expect(answer.status).toBe(provider === 'constructor' ? 429 : 404)
      if (answer.status === 404)
        expect(answer.body).toEqual({ code: 'PROVIDER_NOT_FOUND', message: 'Provider not found' })
    }
  })

  it('400: no provider', async () => {
    expect((await new TestApp().device().post('/sign-in/social', {})).body.code).toBe('VALIDATION_ERROR')
  })

  it('503: the state cannot be stored', async () => {
    const ONE_TIME = new Proxy(env.ONE_TIME, {
      get: () => () => {
        throw new Error('the region is lost')
      },
    })
    const provider = atGoogle()
    const app = new TestApp(
      { rateLimit: { enabled: false }, socialProviders: { google: provider.options } },
      { ONE_TIME },
    )
    const { status, body } = await app.device().post('/sign-in/social', { provider: 'google', callbackURL: '/' })
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
  })

  it('403: callbacks outside of the trusted origins', async () => {
    const device = appWith(atGoogle()).device()
    for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      const answer = await device.post('/sign-in/social', { provider: 'google', [name]: 'https://evil.example' })
      expect(answer).toMatchObject({ status: 403, body: { message: `Invalid ${name}` } })
    }
  })

  it('200: the URL at the provider, and a cookie for this browser', async () => {
    const device = appWith(atGoogle()).device()
    const { body, cookies } = await device.post('/sign-in/social', {
      provider: 'google',
      scopes: ['https://www.googleapis.com/auth/drive'],
      loginHint: 'x@example.com',
      disableRedirect: true,
    })
    expect(body.redirect).toBe(false)
    const url = new URL(body.url)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: google.clientId,
      state: expect.stringMatching(/^[\w-]{32}$/),
      scope: 'email profile openid https://www.googleapis.com/auth/drive',
      redirect_uri: `${origin}/api/auth/callback/google`,
      login_hint: 'x@example.com',
      nonce: expect.any(String),
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(cookies).toEqual([
      expect.stringMatching(/^gatehouse\.oauth_state=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('200: the configuration adds scopes, or leaves the default ones out', async () => {
    const provider = atGoogle()
    const scopeOf = async (options: object) => {
      const app = appWith(provider, { socialProviders: { google: { ...provider.options, ...options } } })
      const { body } = await app.device().post('/sign-in/social', { provider: 'google' })
      return new URL(body.url).searchParams.get('scope')
    }
    expect(await scopeOf({ scope: ['drive'] })).toBe('email profile openid drive')
    expect(await scopeOf({ scope: ['drive'], disableDefaultScope: true })).toBe('drive')
  })

  it('200: client id and secret may come from the environment', async () => {
    const app = new TestApp({}, { GITHUB_CLIENT_ID: 'from-env' } as object)
    const { body } = await app.device().post('/sign-in/social', { provider: 'github' })
    expect(new URL(body.url).searchParams.get('client_id')).toBe('from-env')
  })

  it('429: three in ten seconds', async () => {
    const provider = atGoogle()
    const device = new TestApp({ socialProviders: { google: provider.options } }).device()
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await device.post('/sign-in/social', { provider: 'google' })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})

describe('/callback/:id', () => {
  it('302: a new person, then the same one again', async () => {
    const provider = atGoogle()
    const app = appWith(provider)
    const device = app.device()
    const first = await walk(device, provider, { newUserCallbackURL: '/welcome' })
    expect({ status: first.status, location: locationOf(first) }).toEqual({ status: 302, location: '/welcome' })
    const session = await device.get('/get-session')
    expect(session.body.user).toMatchObject({
      name: 'Gina Oogle',
      email: 'octo@example.com',
      emailVerified: true,
      image: 'https://lh3.example.com/g.png',
    })
    const accounts = await device.get('/list-accounts')
    expect(accounts.body).toEqual([
      {
        id: expect.any(String),
        provider: 'google',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        accountId: '4242',
        scopes: ['email', 'profile', 'openid'],
      },
    ])
    const again = await walk(app.device(), provider, { newUserCallbackURL: '/welcome' })
    expect(locationOf(again)).toBe('/dash')
    expect({
      users: await count('users'),
      accounts: await count('accounts'),
      sessions: await count('sessions'),
    }).toEqual({ users: 1, accounts: 1, sessions: 2 })
  })

  it('302: to the base URL without a callbackURL', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    expect(locationOf(await walk(device, provider, { callbackURL: undefined }))).toBe(origin)
  })

  it("keeps the provider's tokens sealed", async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    await walk(device, provider)
    const row = await storedRow('accounts')
    expect(row).toMatchObject({
      access_token: expect.stringMatching(/^ey/),
      refresh_token: expect.stringMatching(/^ey/),
    })
    expect(JSON.stringify(row)).not.toContain('google-access')
    expect(JSON.stringify(row)).not.toContain('google-refresh')
  })

  it('302: state that is missing, unknown, or of another browser', async () => {
    const provider = atGoogle()
    const app = appWith(provider)
    const callback = await startAt(app.device(), provider)
    const other = app.device()
    expect(locationOf(await other.get(callback.path, { query: { code: 'x' } }))).toBe(errorPage('state_not_found'))
    expect(locationOf(await other.get(callback.path, { query: { code: 'x', state: 'unknown' } }))).toBe(
      errorPage('please_restart_the_process'),
    )
    expect(locationOf(await comeBack(other, callback))).toBe(errorPage('please_restart_the_process'))
    await startAt(other, provider)
    expect(locationOf(await comeBack(other, callback))).toBe(errorPage('please_restart_the_process'))
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 0, sessions: 0 })
    expect(provider.requests).toEqual([])
  })

  it('302: a foreign browser does not use the state up', async () => {
    const provider = atGoogle()
    const app = appWith(provider)
    const [mine, other] = [app.device(), app.device()]
    const callback = await startAt(mine, provider)
    await startAt(other, provider)
    await comeBack(other, callback)
    expect(locationOf(await comeBack(mine, callback))).toBe('/dash')
  })

  it('302: a forged state cookie is ignored', async () => {
    const provider = atGoogle()
    const app = appWith(provider)
    const [mine, other] = [app.device(), app.device()]
    const callback = await startAt(mine, provider)
    const [value] = mine.cookie('oauth_state')!.split('.')
    other.jar.set('gatehouse.oauth_state', encodeURIComponent(`${value}.${'A'.repeat(43)}=`))
    expect(locationOf(await comeBack(other, callback))).toBe(errorPage('please_restart_the_process'))
  })

  it('302: state that was made for another provider', async () => {
    const provider = atGoogle()
    const app = appWith(provider, {
      socialProviders: { google: provider.options, github: { clientId: 'c', clientSecret: 's' } },
    })
    const device = app.device()
    const { parameters } = await startAt(device, provider)
    const answer = await device.get('/callback/github', { query: parameters })
    expect(locationOf(answer)).toBe(errorPage('please_restart_the_process'))
    expect(provider.requests).toEqual([])
  })

  it('302: state twice', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const callback = await startAt(device, provider)
    expect(locationOf(await comeBack(device, callback))).toBe('/dash')
    expect(locationOf(await comeBack(device, callback))).toBe(errorPage('please_restart_the_process'))
  })

  it('302: state after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const provider = atGoogle()
    const app = appWith(provider)
    const [early, late] = [app.device(), app.device()]
    const [first, second] = [await startAt(early, provider), await startAt(late, provider)]
    vi.setSystemTime(Date.now() + 599_000)
    expect(locationOf(await comeBack(early, first))).toBe('/dash')
    vi.setSystemTime(Date.now() + 2_000)
    expect(locationOf(await comeBack(late, second))).toBe(errorPage('please_restart_the_process'))
  })

  it('twenty parallel callbacks with one code make one session', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const callback = await startAt(device, provider)
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(device, callback)))
    const locations = answers.map(locationOf)
    expect(locations.filter((location) => location === '/dash')).toHaveLength(1)
    expect(new Set(locations)).toEqual(new Set(['/dash', errorPage('please_restart_the_process')]))
    expect(answers.filter(({ cookies }) => cookies.some((line) => line.includes('session_token=')))).toHaveLength(1)
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 1, sessions: 1 })
  })

  it('twenty sign-ins of one new person at once make one user', async () => {
    const provider = atGoogle()
    const app = appWith(provider)
    const devices: Device[] = Array.from({ length: 20 }, () => app.device())
    const callbacks = await Promise.all(devices.map((device) => startAt(device, provider)))
    const answers = await Promise.all(devices.map((device, n) => comeBack(device, callbacks[n]!)))
    expect(new Set(answers.map(locationOf))).toEqual(new Set(['/dash']))
    expect({
      users: await count('users'),
      accounts: await count('accounts'),
      sessions: await count('sessions'),
    }).toEqual({ users: 1, accounts: 1, sessions: 20 })
  })

  it('302: several sign-ins of one browser can be under way', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const callbacks = [await startAt(device, provider), await startAt(device, provider)]
    for (const callback of callbacks) expect(locationOf(await comeBack(device, callback))).toBe('/dash')
  })

  it("302: a refused consent goes to the error page, with the provider's description", async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const { body } = await device.post('/sign-in/social', { provider: 'google' })
    const refused = provider.authorize(body.url, 'refuses')
    const query = { ...refused.parameters, error_description: 'no\r\nthanks' }
    expect(locationOf(await device.get(refused.path, { query }))).toBe(
      `${errorPage('access_denied')}&error_description=no%20%20thanks`,
    )
    const odd = await device.get(refused.path, { query: { error: '<script>', state: 'x' } })
    expect(locationOf(odd)).toBe(errorPage('Unknown'))
  })

  it("302: a refused consent goes to the caller's page for errors, once", async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const { body } = await device.post('/sign-in/social', { provider: 'google', errorCallbackURL: '/sign-in?x=1' })
    const { path, parameters } = provider.authorize(body.url, 'refuses')
    expect(locationOf(await device.get(path, { query: parameters }))).toBe(`${origin}/sign-in?x=1&error=access_denied`)
    expect(locationOf(await device.get(path, { query: parameters }))).toBe(errorPage('access_denied'))
  })

  it('302: errors go to the page of the product, where the configuration names one', async () => {
    const provider = atGoogle()
    for (const [errorURL, page] of [
      ['/problems', `${origin}/problems?`],
      ['https://www.example.com/error?from=accounts', 'https://www.example.com/error?from=accounts&'],
    ] as const) {
      const device = appWith(provider, { onAPIError: { errorURL } }).device()
      expect(locationOf(await device.get('/callback/google'))).toBe(`${page}error=state_not_found`)
      const query = { error: 'access_denied', state: 'x' }
      expect(locationOf(await device.get('/callback/google', { query }))).toBe(`${page}error=access_denied`)
      const { path } = await startAt(device, provider, { errorCallbackURL: '/err' })
      expect(path).toContain('/callback/google')
    }
  })

  it("302: no code; an unknown provider; at the caller's page for errors", async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const callback = await startAt(device, provider)
    const { state } = callback.parameters
    expect(locationOf(await device.get(callback.path, { query: { state: state! } }))).toBe(errorAt('no_code'))
    const second = await startAt(device, provider, { errorCallbackURL: '/err?x=1' })
    expect(locationOf(await device.get('/callback/nope', { query: second.parameters }))).toBe(
      `${origin}/err?x=1&error=oauth_provider_not_found`,
    )
  })

  it('302: an invalid code', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const callback = await startAt(device, provider)
    provider.expireCodes()
    expect(locationOf(await comeBack(device, callback))).toBe(errorAt('invalid_code'))
  })

  it('302: another issuer in the callback than the one of the provider (mix-up)', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const callback = await startAt(device, provider)
    callback.parameters.iss = 'https://evil.example'
    expect(locationOf(await comeBack(device, callback))).toBe(errorAt('invalid_code'))
    expect(provider.requests).toEqual([])
    const right = await startAt(device, provider)
    right.parameters.iss = 'https://accounts.google.com'
    expect(locationOf(await comeBack(device, right))).toBe('/dash')
  })

  it('302: an id token with another nonce than the one that was sent', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const { body } = await device.post('/sign-in/social', { provider: 'google', errorCallbackURL: '/err' })
    const url = new URL(body.url)
    url.searchParams.set('nonce', 'of-another-sign-in')
    expect(locationOf(await comeBack(device, provider.authorize(url.toString())))).toBe(errorAt('invalid_code'))
  })

  it('302: no address, and no subject', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    provider.person = { id: '1' }
    expect(locationOf(await walk(device, provider))).toBe(errorAt('email_not_found'))
    provider.person = { id: '1', email: 'not an address' }
    expect(locationOf(await walk(device, provider))).toBe(errorAt('email_not_found'))
    const gh = new OAuthProvider(github).install()
    gh.person = { email: 'octo@example.com' }
    expect(locationOf(await walk(appWith(gh).device(), gh))).toBe(errorAt('unable_to_get_user_info'))
    expect(await count('users')).toBe(0)
  })

  it('302: sign-up disabled; or only with requestSignUp', async () => {
    const provider = atGoogle()
    const off = appWith(provider, { socialProviders: { google: { ...provider.options, disableSignUp: true } } })
    expect(locationOf(await walk(off.device(), provider, { requestSignUp: true }))).toBe(errorAt('signup_disabled'))
    const app = appWith(provider, {
      socialProviders: { google: { ...provider.options, disableImplicitSignUp: true } },
    })
    expect(locationOf(await walk(app.device(), provider))).toBe(errorAt('signup_disabled'))
    expect(locationOf(await walk(app.device(), provider, { requestSignUp: true }))).toBe('/dash')
    expect(locationOf(await walk(app.device(), provider))).toBe('/dash')
  })

  it('302: a banned user gets no session', async () => {
    const provider = atGoogle()
    const app = appWith(provider)
    await walk(app.device(), provider)
    await banUsers()
    const answer = await walk(app.device(), provider)
    expect(locationOf(answer)).toMatch(/\?error=(banned|unable_to_create_session)/)
    expect(await count('sessions')).toBe(1)
  })

  it('302: name and image follow the provider, where the configuration enables it', async () => {
    const provider = atGoogle()
    const app = appWith(provider, {
      socialProviders: { google: { ...provider.options, overrideUserInfoOnSignIn: true } },
    })
    await walk(app.device(), provider)
    await updateUsers({ name: 'Old' })
    const device = app.device()
    await walk(device, provider)
    expect((await device.get('/get-session')).body.user.name).toBe('Gina Oogle')
  })

  it('302: to the second factor, where the profile asks for it after every way of signing in', async () => {
    const provider = atGoogle()
    provider.person = { id: '1', email: alice.email }
    const app = appWith(provider, {
      profile: 'strict',
      emailAndPassword: { requireEmailVerification: false },
    })
    stopClock()
    await signUpProtected(app)
    await verifyAddresses()
    const device = app.device()
    expect(locationOf(await walk(device, provider))).toBe(`${origin}/two-factor?callbackURL=%2Fdash`)
    expect(device.jar.has('gatehouse.session_token')).toBe(false)
    expect(device.jar.has('gatehouse.two_factor')).toBe(true)
    const brought = await app.device().post('/sign-in/social', {
      provider: 'google',
      idToken: { token: await provider.signIdToken(google.clientId) },
    })
    expect(brought.body).toEqual({ twoFactorRedirect: true })
  })

  it('302: a guest becomes the user of the identity', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    await device.post('/sign-in/anonymous')
    expect(locationOf(await walk(device, provider))).toBe('/dash')
    expect((await device.get('/get-session')).body.user).toMatchObject({
      email: 'octo@example.com',
      isAnonymous: false,
    })
  })

  it('503: a prefetching browser, and HEAD, use nothing up', async () => {
    const provider = atGoogle()
    const device = appWith(provider).device()
    const callback = await startAt(device, provider)
    const early = await device.get(callback.path, {
      query: callback.parameters,
      headers: { 'sec-purpose': 'prefetch' },
    })
    expect(early.status).toBe(503)
    expect(locationOf(await comeBack(device, callback))).toBe('/dash')
  })

  it('302: invalid parameters', async () => {
    const device = appWith(atGoogle()).device()
    const long = await device.get('/callback/google', { query: { state: 'x'.repeat(5000) } })
    expect(locationOf(long)).toBe(errorPage('invalid_callback_request'))
  })
})

describe('POST /callback/:id', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' }

  it('302: to the same URL with GET, when the request has no cookie', async () => {
    const provider = atApple()
    const app = appWith(provider)
    const device = app.device()
    const callback = await startAt(device, provider)
    expect(callback.method).toBe('POST')
    const posted = await app.device().post(callback.path, new URLSearchParams(callback.parameters).toString(), {
      headers: form,
    })
    expect(posted.status).toBe(302)
    expect(posted.cookies).toEqual([])
    const next = new URL(locationOf(posted)!)
    expect(next.origin + next.pathname).toBe(`${origin}/api/auth/callback/apple`)
    expect(next.searchParams.has('id_token')).toBe(false)
    expect(await count('sessions')).toBe(0)
    expect(locationOf(await device.get(next.toString()))).toBe('/dash')
    expect(await count('sessions')).toBe(1)
  })

  it('302: at once, when the request has the cookie', async () => {
    const provider = atApple()
    const device = appWith(provider).device()
    const callback = await startAt(device, provider)
    const posted = await device.post(callback.path, new URLSearchParams(callback.parameters).toString(), {
      headers: form,
    })
    expect(locationOf(posted)).toBe('/dash')
  })

  it('302: an empty form', async () => {
    const device = new TestApp().device()
    expect(locationOf(await device.post('/callback/apple', '', { headers: form }))).toBe(
      errorPage('invalid_callback_request'),
    )
  })

  it('403: any other path still refuses a foreign origin', async () => {
    const device = await signUp(new TestApp(), alice)
    const answer = await device.post(
      '/link-social',
      { provider: 'x' },
      { headers: { origin: 'https://appleid.apple.com' } },
    )
    expect(answer).toMatchObject({ status: 403, body: { code: 'INVALID_ORIGIN' } })
  })
})
