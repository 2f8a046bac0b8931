import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import {
  authorizationRequest,
  authorize,
  basic,
  codeOf,
  exchange,
  pkce,
  postForm,
  type RegisteredClient,
  recordConsent,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'

let app: TestApp
let device: Device
let client: RegisteredClient

beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false } })
  device = await signUp(app, alice)
  client = await registerClient(device)
})

const push = (more: Record<string, string | undefined> = {}, by = client) =>
  postForm(app, '/oauth2/par', authorizationRequest(by, more), basic(by))

const open = (request_uri: string, from = device, by = client) =>
  authorize(from, { client_id: by.client_id, request_uri })

describe('POST /oauth2/par', () => {
  it('201: a name for the request, which the browser brings', async () => {
    const { status, body, headers } = await push()
    expect({ status, body, cacheControl: headers.get('cache-control') }).toEqual({
      status: 201,
      body: { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:\w{43}$/), expires_in: 600 },
      cacheControl: 'no-store',
    })
    expect((await open(body.request_uri)).pathname).toBe('/consent')
    const agreed = await device.post('/oauth2/consent', { accept: true })
    const back = new URL(agreed.body.redirectURI)
    expect(back.searchParams.get('state')).toBe('client-state')
    expect((await exchange(app, client, codeOf(back))).status).toBe(200)
  })

  it('leads to one code: used up by success, and not before (RFC 9126, section 7.3)', async () => {
    const { request_uri } = (await push()).body
    expect((await open(request_uri)).pathname).toBe('/consent')
    const asked = await open(request_uri)
    expect(asked.pathname).toBe('/consent')
    const other = asked.searchParams.get('consent_code')!
    const first = (await open(request_uri)).searchParams.get('consent_code')!
    expect((await device.post('/oauth2/consent', { accept: true, consent_code: first })).status).toBe(200)
    const second = await device.post('/oauth2/consent', { accept: true, consent_code: other })
    expect(second).toMatchObject({ status: 401, body: { error_description: 'Invalid code' } })
    expect((await open(request_uri)).href).toContain('/api/auth/error?error=invalid_request_uri')
  })

  it('of twenty parallel visits after a consent one gets a code', async () => {
    await recordConsent(client, 'openid profile email')
    const { request_uri } = (await push()).body
    const visits = await Promise.all(Array.from({ length: 20 }, () => open(request_uri)))
    expect(visits.filter((url) => url.searchParams.has('code'))).toHaveLength(1)
    expect(visits.filter((url) => url.searchParams.get('error') === 'invalid_request_uri')).toHaveLength(19)
  })

  it('what the browser adds counts for nothing', async () => {
    const { body } = await push({ scope: 'openid' })
    const asked = await authorize(device, {
      client_id: client.client_id,
      request_uri: body.request_uri,
      scope: 'openid email',
      redirect_uri: 'https://evil.example.org',
    })
    expect(asked.searchParams.get('scope')).toBe('openid')
  })

  it('a visitor signs in, and returns to it', async () => {
    const { body } = await push()
    const visitor = app.device()
    expect((await open(body.request_uri, visitor)).pathname).toBe('/sign-in')
    const signedIn = await visitor.post('/sign-in/email', alice, { headers: { 'sec-fetch-mode': 'cors' } })
    expect((await visitor.get(signedIn.body.url)).headers.get('location')).toContain('/consent?')
  })

  it('unknown, expired, or another client’s: the user sees an error', async () => {
    const refused = expect.stringContaining('/api/auth/error?error=invalid_request_uri')
    expect((await open('urn:ietf:params:oauth:request_uri:nothing')).href).toEqual(refused)
    const { body } = await push()
    const other = await registerClient(await signUp(app, bob))
    expect((await open(body.request_uri, device, other)).href).toEqual(refused)
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      vi.setSystemTime(Date.now() + 601_000)
      expect((await open(body.request_uri)).href).toEqual(refused)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each<[string, Record<string, string | undefined>, string, string]>([
    ['another redirect URI', { redirect_uri: 'https://evil.org' }, 'invalid_request', 'Invalid redirect URI'],
    ['no redirect URI', { redirect_uri: undefined }, 'invalid_request', 'Invalid redirect URI'],
    ['an unknown scope', { scope: 'wizard' }, 'invalid_scope', 'The following scopes are invalid: wizard'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type', 'unsupported response type'],
    ['a pushed request', { request_uri: 'urn:x' }, 'invalid_request', 'request_uri must not be pushed'],
    [
      'half a challenge',
      { ...pkce().request, code_challenge: undefined },
      'invalid_request',
      'code_challenge is required',
    ],
  ])('400: %s', async (_what, more, error, error_description) => {
    const { status, body } = await push(more)
    expect({ status, body }).toEqual({ status: 400, body: { error, error_description } })
  })

  it('401: without client authentication', async () => {
    const { status, body } = await push({}, { ...client, client_secret: 'bad' })
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_client' })
  })
})
