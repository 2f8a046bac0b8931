import type { ProviderDocumentation } from '../provider-documentation.ts'

/** The directory of the user. */
export const tenant = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

export const microsoft: ProviderDocumentation = {
  id: 'microsoft',
  documents: [
    'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
    'https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference',
    'https://learn.microsoft.com/en-us/graph/api/profilephoto-get',
  ],
  clientId: '6731de76-14a6-49ae-97bc-6eba6914391e',
  clientSecret: 'micro~soft_sec.ret',
  authorization: {
    url: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    optional: ['response_mode', 'prompt', 'login_hint', 'domain_hint'],
    scopes: ['openid', 'profile', 'email', 'offline_access', 'User.Read'],
    pkce: 'supported',
    refusal: { error: 'access_denied', error_description: 'the user canceled the authentication' },
  },
  token: {
    url: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    authentication: 'post',
    answer: ({ scopes }) => ({
      token_type: 'Bearer',
      expires_in: 3599,
      ext_expires_in: 3599,
      scope: scopes.filter((scope) => scope !== 'offline_access').join(' '),
      refresh_token: true,
      id_token: true,
    }),
    refusal: {
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'AADSTS70008: The provided authorization code or refresh token has expired.',
        error_codes: [70008],
        trace_id: '255d1aef-8c98-452f-ac51-23d051240864',
      },
    },
    refresh: true,
  },
  issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
  jwks: 'https://login.microsoftonline.com/common/discovery/v2.0/keys',
  claims: ({ id, email }) => ({
    sub: id,
    oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
    tid: tenant,
    ver: '2.0',
    name: 'Mia Crosoft',
    preferred_username: 'mia@example.com',
    email,
    xms_edov: true,
  }),
  api: {
    'GET https://graph.microsoft.com/v1.0/me/photos/48x48/$value': () =>
      new Response(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), { headers: { 'content-type': 'image/jpeg' } }),
  },
}
