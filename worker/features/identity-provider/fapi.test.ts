import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { foreignTimes, fromNow } from '../../testing/foreign-times.ts'
import { origin, TestApp } from '../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  callback,
  claimsIn,
  postForm,
  registerClient,
} from '../../testing/oauth.ts'
import { openidClient } from '../../testing/openid-client.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'

let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
let jwk: JWK
beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true })
  jwk = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', kid: 'k1' }
})

/** Registers a client with keys, and configures openid-client for it. */
async function start(options: object, metadata: object = {}) {
  const app = new TestApp({ rateLimit: { enabled: false }, identityProvider: options })
  const device = await signUp(app, alice)
  const { status, body } = await device.post('/oauth2/register', {
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [jwk] },
    ...metadata,
  })
  expect(status).toBe(201)
  const key = { key: keys.privateKey, kid: 'k1' }
  const config = await openidClient(app, body.client_id, {}, openid.PrivateKeyJwt(key))
  return { app, device, config, clientId: body.client_id as string }
}

const verifier = openid.randomPKCECodeVerifier()
const request = async (more: Record<string, string> = {}) => ({
  redirect_uri: callback,
  scope: 'openid',
  code_challenge: await openid.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  ...more,
})

describe('the FAPI 2.0 security profile', () => {
  it('openid-client gets tokens with PAR, private_key_jwt, S256 and DPoP with nonces', async () => {
    const { app, device, config } = await start({ securityProfile: 'fapi2', requireDPoPNonce: true })
    expect(config.serverMetadata()).toMatchObject({
      require_pushed_authorization_requests: true,
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      id_token_signing_alg_values_supported: ['EdDSA'],
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'PS256'],
      code_challenge_methods_supported: ['S256'],
    })
    Object.assign(config.clientMetadata(), { id_token_signed_response_alg: 'EdDSA' })
    const DPoP = openid.getDPoPHandle(config, await generateKeyPair('ES256'))
    const url = await openid.buildAuthorizationUrlWithPAR(config, await request(), { DPoP })
    const back = await agree(device, Object.fromEntries(url.searchParams))
    expect(back.searchParams.get('iss')).toBe(origin)
    const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier }, {}, { DPoP })
    expect(tokens).toMatchObject({ token_type: 'dpop' })
    const claims = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub, { DPoP })
    expect(claims.sub).toBe(tokens.claims()!.sub)
    const bearer = { headers: { authorization: `Bearer ${tokens.access_token}` } }
    expect((await app.device().get('/oauth2/userinfo', bearer)).status).toBe(401)
  })

  it('refuses what the profile excludes', async () => {
    const { app, device, config, clientId } = await start({ securityProfile: 'fapi2' })
    const plain = authorizationRequest({ client_id: clientId }, { prompt: 'none', ...(await request()) })
    expect((await authorize(device, plain)).searchParams.get('error_description')).toMatch(/pushed/)
    const withSecret = { redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_basic' }
    expect((await device.post('/oauth2/register', withSecret)).body.error).toBe('invalid_client_metadata')
    // A client that registered before the profile was on.
    const earlier = new TestApp({ rateLimit: { enabled: false } })
    const confidential = await registerClient(await signIn(earlier, alice))
    const { status, body } = await postForm(app, '/oauth2/par', { ...plain, ...confidential })
    expect({ status, description: body.error_description }).toEqual({
      status: 401,
      description: 'the security profile needs private_key_jwt',
    })
    const pushed = async (parameters: Record<string, string>) =>
      openid.buildAuthorizationUrlWithPAR(config, parameters).then(
        () => null,
        (thrown: openid.ResponseBodyError) => thrown.error,
      )
    const { code_challenge: _, code_challenge_method: _1, ...withoutChallenge } = await request()
    expect(await pushed(withoutChallenge)).toBe('invalid_request')
    expect(await pushed({ ...(await request()), code_challenge: verifier, code_challenge_method: 'plain' })).toBe(
      'invalid_request',
    )
    const assertion = async (aud: string | string[], alg = 'ES256') =>
      new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg, kid: 'k1' })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(aud)
        .setExpirationTime('1m')
        .sign(keys.privateKey)
    const push = async (aud: string | string[]) => {
      const credentials = {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await assertion(aud),
      }
      return (await postForm(app, '/oauth2/par', { ...plain, prompt: undefined, ...credentials })).status
    }
    expect(await push(origin)).toBe(201)
    expect(await push([origin, 'https://other.example.com'])).toBe(401)
    expect(await push(`${origin}/api/auth/oauth2/token`)).toBe(401)
    // A token request without a proof of possession.
    const url = await openid.buildAuthorizationUrlWithPAR(config, await request())
    const back = await agree(device, Object.fromEntries(url.searchParams))
    const refused = openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier })
    await expect(refused).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
  })
})

describe('a signed request object', () => {
  it('openid-client signs one, in the browser and pushed', async () => {
    const { device, config } = await start({})
    const url = await openid.buildAuthorizationUrlWithJAR(config, await request({ state: 's1' }), keys.privateKey)
    const back = await agree(device, Object.fromEntries(url.searchParams))
    expect(back.searchParams.get('state')).toBe('s1')
    const checks = { pkceCodeVerifier: verifier, expectedState: 's1' }
    expect((await openid.authorizationCodeGrant(config, back, checks)).claims()!.sub).toBeTruthy()
    const jar = await openid.buildAuthorizationUrlWithJAR(config, await request(), keys.privateKey)
    const pushed = await openid.buildAuthorizationUrlWithPAR(config, { request: jar.searchParams.get('request')! })
    expect((await agree(device, Object.fromEntries(pushed.searchParams))).searchParams.get('code')).toBeTruthy()
  })

  it('is refused when it is not signed by the client, not for this server, or not about this request', async () => {
    const { app, device, clientId } = await start({})
    const claims = { ...authorizationRequest({ client_id: clientId }), iss: clientId, aud: origin }
    const signed = [keys.privateKey, 'oauth-authz-req+jwt'] as const
    const open = async (changes: object, key = keys.privateKey, typ = 'oauth-authz-req+jwt', by = device) => {
      const now = Math.floor(Date.now() / 1000)
      const jwt = new SignJWT({ ...claims, exp: now + 60, ...changes }).setProtectedHeader({ alg: 'ES256', typ })
      // Parameters beside the object are not signed, and have no effect, but the redirect URI is one of the client.
      const query = { ...authorizationRequest({ client_id: clientId }), request: await jwt.sign(key) }
      const url = await authorize(by, query)
      return url.searchParams.get('error') === null ? url.pathname : `${url.pathname} ${url.searchParams.get('error')}`
    }
    for (const by of [device, await signUp(app, bob)]) {
      const to = `${by === device ? '/cb' : '/api/auth/error'} invalid_request_object`
      expect(await open({}, (await generateKeyPair('ES256')).privateKey, undefined, by)).toBe(to)
      expect(await open({ aud: 'https://other.example.com' }, ...signed, by)).toBe(to)
      expect(await open({ iss: 'another' }, ...signed, by)).toBe(to)
      expect(await open({ client_id: 'another' }, ...signed, by)).toBe(to)
      expect(await open({ sub: clientId }, ...signed, by)).toBe(to)
      expect(await open({ exp: 1 }, ...signed, by)).toBe(to)
      expect(await open({ exp: undefined }, ...signed, by)).toBe(to)
      expect(await open({ request_uri: 'https://client.example.com/request' }, ...signed, by)).toBe(to)
      expect(await open({}, keys.privateKey, 'at+jwt', by)).toBe(to)
    }
    const refused = '/cb invalid_request_object'
    for (const [, times, isAccepted] of foreignTimes) {
      expect(await open(fromNow(times))).toBe(isAccepted ? '/consent' : refused)
    }
    expect(await open({})).toBe('/consent')
  })
})

describe('the parameter claims', () => {
  it('adds single claims to the id token and userinfo, after a consent to their scopes', async () => {
    const { device, config } = await start({})
    const claims = JSON.stringify({ userinfo: { email: { essential: true } }, id_token: { name: null, unknown: null } })
    const parameters = await request({ claims, scope: 'openid' })
    const query = Object.fromEntries(openid.buildAuthorizationUrl(config, parameters).searchParams)
    const asked = await authorize(device, query)
    expect(asked.searchParams.get('scope')).toBe('openid profile email')
    const back = await agree(device, query)
    const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier })
    const { sub, name, email, picture } = claimsIn(tokens.id_token!)
    expect({ name, email, picture, scope: tokens.scope }).toEqual({
      name: alice.name,
      email: undefined,
      picture: undefined,
      scope: 'openid',
    })
    expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toEqual({ sub, email: alice.email })
  })

  it('sub: another user is refused, and an essential acr asks for that authentication', async () => {
    const { device, config } = await start({})
    const send = async (idToken: object) => {
      const parameters = await request({ claims: JSON.stringify({ id_token: idToken }), prompt: 'none' })
      const query = Object.fromEntries(openid.buildAuthorizationUrl(config, parameters).searchParams)
      return (await authorize(device, query)).searchParams.get('error')
    }
    expect(await send({ sub: { value: 'another' } })).toBe('login_required')
    const mfa = { essential: true, values: ['https://refeds.org/profile/mfa'] }
    expect(await send({ acr: mfa })).toBe('login_required')
    expect(await send({ acr: { ...mfa, essential: false } })).toBe('consent_required')
  })
})
