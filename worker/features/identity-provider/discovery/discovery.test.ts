import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'

const at = 'http://localhost:8787'

describe('GET /.well-known/openid-configuration', () => {
  it('200 below the base path, and at the origin, where clients look (OpenID Connect Discovery, section 4)', async () => {
    const device = new TestApp().device()
    const { status, body, headers } = await device.get('/.well-known/openid-configuration')
    expect({ status, allowOrigin: headers.get('access-control-allow-origin') }).toEqual({
      status: 200,
      allowOrigin: '*',
    })
    expect(body).toMatchObject({
      issuer: at,
      authorization_endpoint: `${at}/api/auth/oauth2/authorize`,
      token_endpoint: `${at}/api/auth/oauth2/token`,
      userinfo_endpoint: `${at}/api/auth/oauth2/userinfo`,
      jwks_uri: `${at}/api/auth/jwks`,
      registration_endpoint: `${at}/api/auth/oauth2/register`,
      introspection_endpoint: `${at}/api/auth/oauth2/introspect`,
      revocation_endpoint: `${at}/api/auth/oauth2/revoke`,
      end_session_endpoint: `${at}/api/auth/oauth2/end-session`,
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt'],
      authorization_signing_alg_values_supported: ['RS256', 'EdDSA'],
      grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token']),
      subject_types_supported: ['public', 'pairwise'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      token_endpoint_auth_methods_supported: expect.arrayContaining(['client_secret_basic', 'client_secret_post']),
      code_challenge_methods_supported: ['S256', 'plain'],
      claims_supported: expect.arrayContaining(['sub', 'iss', 'aud', 'exp', 'iat', 'email', 'email_verified', 'name']),
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      acr_values_supported: [
        'urn:mace:incommon:iap:silver',
        'urn:mace:incommon:iap:bronze',
        'https://refeds.org/profile/mfa',
      ],
      claims_parameter_supported: true,
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
    })
    expect((await device.get(`${at}/.well-known/openid-configuration`)).body).toEqual(body)
    expect((await device.get(`${at}/.well-known/anything`)).status).toBe(404)
  })

  it('lists `plain` exactly where it is accepted', async () => {
    const strict = { profile: 'strict', emailAndPassword: { requireEmailVerification: false } } as const
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const { body } = await new TestApp({ ...strict, mcp: { enabled: true } }).device().get(path)
      expect({ path, codeChallengeMethodsSupported: body.code_challenge_methods_supported }).toEqual({
        path,
        codeChallengeMethodsSupported: ['S256'],
      })
    }
  })

  it('any site may request it, and OPTIONS permits it for a day', async () => {
    const app = new TestApp()
    for (const path of ['/.well-known/openid-configuration', '/api/auth/.well-known/openid-configuration']) {
      const answer = await app.fetch(
        new Request(`${at}${path}`, {
          method: 'OPTIONS',
          headers: { origin: 'https://any.example.org', 'access-control-request-method': 'GET' },
        }),
      )
      expect({ status: answer.status, allowOrigin: answer.headers.get('access-control-allow-origin') }).toEqual({
        status: 204,
        allowOrigin: '*',
      })
      expect(answer.headers.get('access-control-max-age')).toBe('86400')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
    for (const path of ['/oauth2/authorize', '/oauth2/consent', '/mcp/authorize']) {
      const { headers } = await new TestApp({ mcp: { enabled: true } })
        .device()
        .get(path, { headers: { origin: 'https://any.example.org' } })
      expect({ path, allowOrigin: headers.get('access-control-allow-origin') }).toEqual({ path, allowOrigin: null })
    }
  })

  it('contains configured scopes', async () => {
    const app = new TestApp({ identityProvider: { scopes: ['files:read'] } })
    const { body } = await app.device().get('/.well-known/openid-configuration')
    expect(body.scopes_supported).toContain('files:read')
  })
})
