import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Device, origin, TestApp } from '../../testing/harness.ts'
import { agree, authorize, callback, codeOf, fetchInto, pkce, postForm, registerClient } from '../../testing/oauth.ts'
import { company, someone } from '../../testing/organizations.ts'
import { alice, signUp } from '../../testing/people.ts'
import { authenticateSessions } from '../../testing/states.ts'

/** Clients of other authors, with their strict checks, against the whole application. */

const scope = 'openid profile email offline_access'
let app: TestApp
let device: Device

beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false } })
  device = await signUp(app, alice)
})

/** The user opens an address of the client and consents. @returns the address to which the browser returns */
const visit = (url: URL) => agree(device, Object.fromEntries(url.searchParams))

describe('openid-client', () => {
  const insecure = { execute: [openid.allowInsecureRequests] }

  async function configure(metadata: object = {}, authentication?: openid.ClientAuth) {
    const client = await registerClient(device, {
      grant_types: ['authorization_code', 'refresh_token'],
      post_logout_redirect_uris: ['https://client.example.com/goodbye'],
      ...metadata,
    })
    const customFetch = fetchInto(app) as openid.CustomFetch
    return openid.discovery(new URL(origin), client.client_id, client.client_secret, authentication, {
      ...insecure,
      [openid.customFetch]: customFetch,
    })
  }

  async function walk(
    config: openid.Configuration,
    { pushed = false, DPoP }: { pushed?: boolean; DPoP?: openid.DPoPHandle } = {},
  ) {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()]
    const parameters = {
      redirect_uri: callback,
      scope,
      prompt: 'consent',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }
    const options = DPoP ? { DPoP } : {}
    const url = pushed
      ? await openid.buildAuthorizationUrlWithPAR(config, parameters, options)
      : openid.buildAuthorizationUrl(config, parameters)
    const back = await visit(url)
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true, maxAge: 600 }
    return { url, tokens: await openid.authorizationCodeGrant(config, back, checks, undefined, options) }
  }

  it('walks code with PKCE, refresh, userinfo, introspection, revocation and logout', async () => {
    const config = await configure()
    openid.enableNonRepudiationChecks(config)
    const { tokens } = await walk(config)
    const { sub } = tokens.claims()!
    expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ sub, email: alice.email })
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    expect(next.claims()?.sub).toBe(sub)
    expect(await openid.tokenIntrospection(config, next.access_token)).toMatchObject({ active: true, sub })
    await openid.tokenRevocation(config, next.refresh_token!)
    expect(await openid.tokenIntrospection(config, next.access_token)).toEqual({ active: false })
    await expect(openid.refreshTokenGrant(config, next.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const out = openid.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: 'https://client.example.com/goodbye',
    })
    const gone = await device.get(out.href)
    expect(gone.headers.get('location')).toBe('https://client.example.com/goodbye')
    expect((await device.get('/get-session')).body).toBeNull()
  })

  it('requests a stronger authentication if a resource server requires it (RFC 9470)', async () => {
    const mfa = 'https://refeds.org/profile/mfa'
    const config = await configure()
    const { tokens } = await walk(config)
    const known = await openid.tokenIntrospection(config, tokens.access_token)
    expect({ acr: known.acr, authTime: known.auth_time }).toEqual({
      acr: 'urn:mace:incommon:iap:silver',
      authTime: tokens.claims()!.auth_time,
    })
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()]
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid',
      acr_values: mfa,
      max_age: '60',
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const page = await authorize(device, Object.fromEntries(url.searchParams))
    expect(page.pathname).toBe('/step-up')
    await authenticateSessions(['pwd', 'otp', 'mfa'])
    const { headers } = await device.get(page.searchParams.get('callbackURL')!)
    const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true, maxAge: 60 }
    const stronger = await openid.authorizationCodeGrant(config, new URL(headers.get('location')!), checks)
    expect(stronger.claims()).toMatchObject({ acr: mfa, amr: ['pwd', 'otp', 'mfa'] })
    expect(await openid.tokenIntrospection(config, stronger.access_token)).toMatchObject({ acr: mfa })
  })

  it('pushes its request', async () => {
    const { url, tokens } = await walk(await configure({ require_pushed_authorization_requests: true }), {
      pushed: true,
    })
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    expect(url.searchParams.get('request_uri')).toMatch(/^urn:ietf:params:oauth:request_uri:/)
    expect(tokens.claims()).toBeTruthy()
  })

  it('binds its tokens to a key', async () => {
    const config = await configure({ dpop_bound_access_tokens: true })
    const keys = await openid.randomDPoPKeyPair('ES256')
    const DPoP = openid.getDPoPHandle(config, keys)
    const { tokens } = await walk(config, { pushed: true, DPoP })
    expect(tokens.token_type).toBe('dpop')
    const { sub } = tokens.claims()!
    await openid.fetchUserInfo(config, tokens.access_token, sub, { DPoP })
    await expect(openid.fetchUserInfo(config, tokens.access_token, sub)).rejects.toThrow()
    const other = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'))
    await expect(openid.fetchUserInfo(config, tokens.access_token, sub, { DPoP: other })).rejects.toThrow()
    await expect(openid.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_dpop_proof',
    })
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!, undefined, { DPoP: other })
    expect(await openid.tokenIntrospection(config, next.access_token)).toMatchObject({
      token_type: 'DPoP',
      cnf: { jkt: expect.any(String) },
    })
  })

  it('signs its assertions; each is good for one request', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] }
    const metadata = { token_endpoint_auth_method: 'private_key_jwt', jwks }
    let assertion = ''
    const config = await configure(
      metadata,
      openid.PrivateKeyJwt(privateKey, {
        [openid.modifyAssertion]: (_header, payload) => {
          payload.aud = origin
        },
      }),
    )
    const inner = config[openid.customFetch]!
    config[openid.customFetch] = (url, options) => {
      assertion = new URLSearchParams(String(options.body)).get('client_assertion') ?? assertion
      return inner(url, options)
    }
    const { tokens } = await walk(config)
    expect((await openid.refreshTokenGrant(config, tokens.refresh_token!)).access_token).toBeTruthy()
    const replayed = await app.device().post(
      '/oauth2/introspect',
      new URLSearchParams({
        token: 'x',
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      }).toString(),
      { headers: { origin: '', 'content-type': 'application/x-www-form-urlencoded' } },
    )
    expect({ status: replayed.status, body: replayed.body }).toEqual({
      status: 401,
      body: { error: 'invalid_client', error_description: 'invalid client_assertion' },
    })
  })

  it('has its own subject for a user, if it registered for that', async () => {
    const [one, two] = [
      await walk(await configure({ subject_type: 'pairwise' })),
      await walk(await configure({ subject_type: 'pairwise' })),
    ]
    const { sub } = one.tokens.claims()!
    expect(sub).toBe(two.tokens.claims()!.sub)
    expect(sub).not.toBe((await device.get('/get-session')).body.user.id)
  })

  it('signs a device in', async () => {
    const config = await configure({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] })
    const started = await openid.initiateDeviceAuthorization(config, { scope: 'openid' })
    await device.post('/oauth2/device/answer', { user_code: started.user_code, accept: true })
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    try {
      const polled = openid.pollDeviceAuthorizationGrant(config, started)
      await vi.advanceTimersByTimeAsync(started.interval! * 1000)
      vi.useRealTimers()
      expect((await polled).claims()).toBeTruthy()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('oauth4webapi', () => {
  it('walks code with PKCE with every check it has', async () => {
    const http = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: fetchInto(app) as never }
    const issuer = new URL(origin)
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http))
    const registered = await registerClient(device)
    const client: oauth.Client = { client_id: registered.client_id }
    const verifier = oauth.generateRandomCodeVerifier()
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
    const url = new URL(server.authorization_endpoint!)
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).toString()
    const parameters = oauth.validateAuthResponse(server, client, await visit(url), state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(registered.client_secret),
      parameters,
      callback,
      verifier,
      http,
    )
    const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
      maxAge: 600,
    })
    await oauth.validateApplicationLevelSignature(server, response, http)
    const { sub } = oauth.getValidatedIdTokenClaims(result)!
    const info = await oauth.userInfoRequest(server, client, result.access_token, http)
    expect(await oauth.processUserInfoResponse(server, client, sub, info)).toMatchObject({ sub, email: alice.email })
  })

  it('registers dynamically where that is allowed', async () => {
    const open = new TestApp({ identityProvider: { allowDynamicClientRegistration: true } })
    const http = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: fetchInto(open) as never }
    const issuer = new URL(origin)
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http))
    const answer = await oauth.dynamicClientRegistrationRequest(server, { redirect_uris: [callback] }, http)
    expect((await oauth.processDynamicClientRegistrationResponse(answer)).client_id).toBeTruthy()
  })
})

// The requests that Cloudflare documents for the login method "OpenID Connect": code flow with PKCE, the secret in the form,
// and the claims of the id token.
describe('Cloudflare Access, as it signs users in with an OpenID provider', () => {
  it('gets the verified address and the groups in the id token, signed by a key of the certificate address', async () => {
    const redirect = 'https://acme.cloudflareaccess.com/cdn-cgi/access/callback'
    const access = {
      ...{ clientId: 'cloudflare-access', clientSecret: 'secret-of-the-team-acme', name: 'Cloudflare Access' },
      redirectURLs: [redirect],
    }
    app = new TestApp({
      rateLimit: { enabled: false },
      identityProvider: { trustedClients: [access], claimScopes: ['groups'] },
    })
    const { owner } = await company(app, 'acme', await someone(app, 'Olga'))
    const { verifier, request } = pkce()
    const asked = { client_id: access.clientId, response_type: 'code', redirect_uri: redirect, state: 'of-access' }
    const back = await authorize(owner.device, { ...asked, scope: 'openid profile email groups', ...request })
    expect(back.origin + back.pathname).toBe(redirect)
    expect(back.searchParams.get('state')).toBe('of-access')
    const { status, body } = await postForm(app, '/oauth2/token', {
      ...{ grant_type: 'authorization_code', code: codeOf(back), redirect_uri: redirect, code_verifier: verifier },
      ...{ client_id: access.clientId, client_secret: access.clientSecret },
    })
    expect(status).toBe(200)
    const keys = createLocalJWKSet((await app.device().get('/jwks')).body)
    const { payload } = await jwtVerify(body.id_token, keys, {
      issuer: origin,
      audience: access.clientId,
      algorithms: ['RS256'],
    })
    expect(payload).toMatchObject({ email: expect.stringContaining('@'), email_verified: expect.any(Boolean) })
    expect(payload.groups).toEqual(expect.arrayContaining(['acme', 'acme:owner']))
  })
})
