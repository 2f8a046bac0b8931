import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stepUpChallenge } from '../../../guides/verify-tokens.md#4.ts'
import { codeOf } from '../../../testing/authenticator.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  basic,
  callback,
  claimsIn,
  codeOf as codeIn,
  exchange,
  postForm,
  type RegisteredClient,
  recordConsent,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'
import { deleteRows } from '../../../testing/rows.ts'
import { authenticateSessions } from '../../../testing/states.ts'
import { passTime, signUpProtected, stopClock } from '../../../testing/two-factor.ts'

/** max_age, acr_values, acr and auth_time (OpenID Connect Core, sections 2 and 3.1.2.1; RFC 9470). */

const silver = 'urn:mace:incommon:iap:silver'
const bronze = 'urn:mace:incommon:iap:bronze'
const mfa = 'https://refeds.org/profile/mfa'
const cors = { headers: { 'sec-fetch-mode': 'cors' } }

let app: TestApp
let device: Device
let client: RegisteredClient
beforeEach(async () => {
  stopClock()
  app = new TestApp({ rateLimit: { enabled: false }, anonymous: { enabled: true } })
  device = await signUp(app, alice)
  client = await registerClient(device)
  await recordConsent(client, 'openid profile email')
})
afterEach(() => {
  vi.useRealTimers()
})

const request = (more: Record<string, string> = {}) => authorizationRequest(client, { scope: 'openid', ...more })
const seconds = () => Math.floor(Date.now() / 1000)
const redeem = async (back: URL) => (await exchange(app, client, codeIn(back))).body
const claims = async (back: URL) => claimsIn((await redeem(back)).id_token)

/** Another authentication in the same session, as a step-up records it. */

describe('max_age', () => {
  it('measures the last authentication, which need not be the sign-in', async () => {
    passTime(1000)
    expect((await authorize(device, request({ max_age: '500' }))).pathname).toBe('/step-up')
    await authenticateSessions(['pwd'])
    passTime(100)
    const back = await authorize(device, request({ max_age: '500' }))
    expect(await claims(back)).toMatchObject({ auth_time: seconds() - 100, amr: ['pwd'], acr: silver })
  })

  it('leads to the step-up with the way back, and a step-up satisfies even max_age=0', async () => {
    const query = request({ max_age: '0' })
    passTime(1)
    const page = await authorize(device, query)
    expect(page.pathname).toBe('/step-up')
    const way = page.searchParams.get('callbackURL')!
    expect(way).toBe(`/api/auth/oauth2/authorize?${new URLSearchParams(query)}`)
    expect((await device.get(way)).headers.get('location')).toContain('/step-up?')
    passTime(1)
    await authenticateSessions(['pwd'])
    passTime(5)
    expect((await device.get(way)).headers.get('location')).toContain(`${callback}?code=`)
    expect((await authorize(device, query)).pathname).toBe('/step-up')
  })

  it('is satisfied by POST /step-up in the same session', async () => {
    passTime(1000)
    const way = (await authorize(device, request({ max_age: '500' }))).searchParams.get('callbackURL')!
    passTime(1)
    const proof = { method: 'password', password: alice.password }
    expect((await device.post('/step-up', proof)).body).toMatchObject({ amr: ['pwd'] })
    expect((await device.get(way)).headers.get('location')).toContain(`${callback}?code=`)
  })

  it('is satisfied by another sign-in too, where no page for a step-up is configured', async () => {
    const without = new TestApp({ rateLimit: { enabled: false }, identityProvider: { stepUpPage: null } })
    const other = await signUp(without, bob)
    await deleteRows('oauth_consents')
    await recordConsent(client)
    passTime(1000)
    const query = request({ max_age: '500' })
    expect((await authorize(other, query)).pathname).toBe('/sign-in')
    const { body } = await other.post('/sign-in/email', bob, cors)
    expect((await other.get(body.url)).headers.get('location')).toContain(`${callback}?code=`)
  })

  it('prompt=none: login_required; prompt=login: another sign-in, even after a recent one', async () => {
    passTime(1000)
    const silent = await authorize(device, request({ max_age: '500', prompt: 'none' }))
    expect({ origin: silent.origin, error: silent.searchParams.get('error') }).toEqual({
      origin: 'https://client.example.com',
      error: 'login_required',
    })
    expect((await authorize(device, request({ max_age: '5000', prompt: 'login' }))).pathname).toBe('/sign-in')
  })

  it('counts in a pushed request as well', async () => {
    const { body } = await postForm(app, '/oauth2/par', request({ max_age: '500' }), basic(client))
    const query = { client_id: client.client_id, request_uri: body.request_uri }
    passTime(501)
    const page = await authorize(device, query)
    expect(page.pathname).toBe('/step-up')
    await authenticateSessions(['pwd'])
    expect((await device.get(page.searchParams.get('callbackURL')!)).headers.get('location')).toContain('?code=')
  })
})

describe('acr_values', () => {
  it('a plain sign-in is silver, a second factor more, a guest less', async () => {
    expect(await claims(await authorize(device, request()))).toMatchObject({ acr: silver, amr: ['pwd'] })
    const { device: protectedDevice, totpURI } = await signUpProtected(app, bob)
    await agree(protectedDevice, request())
    passTime(60)
    const again = app.device()
    await again.post('/sign-in/email', bob)
    await again.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect(await claims(await authorize(again, request({ acr_values: mfa })))).toMatchObject({ acr: mfa })
    const guest = app.device()
    await guest.post('/sign-in/anonymous', {})
    expect(await claims(await agree(guest, request()))).toMatchObject({ acr: bronze })
  })

  it('a session that is too weak leads to the step-up; one that got no stronger ends there', async () => {
    const query = request({ acr_values: mfa })
    const way = (await authorize(device, query)).searchParams.get('callbackURL')!
    expect(way).toContain('/oauth2/authorize?')
    await authenticateSessions(['pwd', 'otp', 'mfa'])
    expect(await claims(new URL((await device.get(way)).headers.get('location')!))).toMatchObject({ acr: mfa })
    await authenticateSessions(['pwd'])
    passTime(1)
    await authorize(device, query)
    passTime(1)
    await authenticateSessions(['pwd'])
    const refused = new URL((await device.get(way)).headers.get('location')!)
    expect({
      origin: refused.origin,
      error: refused.searchParams.get('error'),
      state: refused.searchParams.get('state'),
    }).toEqual({
      origin: 'https://client.example.com',
      error: 'unmet_authentication_requirements',
      state: 'client-state',
    })
  })

  it.each([
    ['a weaker one', bronze],
    ['one of several', `${mfa} ${silver}`],
    ['unknown ones, which are voluntary', '1 2'],
  ])('is satisfied: %s', async (_what, acr_values) => {
    expect((await authorize(device, request({ acr_values, prompt: 'none' }))).searchParams.has('code')).toBe(true)
  })

  it('prompt=none: login_required', async () => {
    const url = await authorize(device, request({ acr_values: mfa, prompt: 'none' }))
    expect(url.searchParams.get('error')).toBe('login_required')
  })
})

it('introspection returns how and when the user authenticated, and a refresh keeps it', async () => {
  const scope = 'openid offline_access'
  const tokens = await redeem(await agree(device, request({ scope, prompt: 'consent' })))
  const at = seconds()
  passTime(100)
  const grant = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const { body } = await postForm(app, '/oauth2/token', grant, basic(client))
  expect(claimsIn(body.id_token)).toMatchObject({ auth_time: at, acr: silver, amr: ['pwd'] })
  const known = await postForm(app, '/oauth2/introspect', { token: body.access_token }, basic(client))
  expect(known.body).toMatchObject({ active: true, auth_time: at, acr: silver })
})

it('the printed helper of a resource server sends a token back that is too weak or too old', async () => {
  const tokens = await redeem(await authorize(device, request()))
  const known = (await postForm(app, '/oauth2/introspect', { token: tokens.access_token }, basic(client))).body
  expect(stepUpChallenge(known, {})).toBeNull()
  expect(stepUpChallenge(known, { acrValues: [silver, mfa], maxAge: 60 })).toBeNull()
  const weak = stepUpChallenge(known, { acrValues: [mfa] })!
  expect(weak.status).toBe(401)
  expect(weak.headers.get('www-authenticate')).toContain(`acr_values="${mfa}"`)
  passTime(61)
  const old = stepUpChallenge(known, { maxAge: 60 })!
  expect(old.headers.get('www-authenticate')).toMatch(/error="insufficient_user_authentication".* max_age=60$/)
})

it('a device carries the authentication of the user who let it in', async () => {
  const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
  const tv = await registerClient(device, { grant_types: [deviceGrant] })
  const begun = await postForm(
    app,
    '/oauth2/device_authorization',
    { client_id: tv.client_id, scope: 'openid' },
    basic(tv),
  )
  passTime(100)
  await authenticateSessions(['pwd', 'otp', 'mfa'])
  await device.post('/oauth2/device/answer', { user_code: begun.body.user_code, accept: true })
  const poll = { grant_type: deviceGrant, device_code: begun.body.device_code }
  const { body } = await postForm(app, '/oauth2/token', poll, basic(tv))
  expect(claimsIn(body.id_token)).toMatchObject({ auth_time: seconds(), acr: mfa })
})
