import type { ProviderDocumentation } from '../provider-documentation.ts'

export const roblox: ProviderDocumentation = {
  id: 'roblox',
  documents: ['https://create.roblox.com/docs/cloud/auth/oauth2-reference'],
  clientId: '816547628409595165403873012',
  clientSecret: 'RBX-CR9_roblox',
  authorization: {
    url: 'https://apis.roblox.com/oauth/v1/authorize',
    optional: ['prompt'],
    scopes: ['openid', 'profile'],
    pkce: 'supported',
    refusal: { error: 'access_denied', error_description: 'The user denied the request.' },
  },
  token: {
    url: 'https://apis.roblox.com/oauth/v1/token',
    authentication: 'either',
    redirectUriRequired: false,
    answer: ({ scopes }) => ({
      token_type: 'Bearer',
      expires_in: 899,
      scope: scopes.join(' '),
      refresh_token: true,
      id_token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl',
    }),
    refusal: { status: 400, body: { error: 'invalid_grant', error_description: 'The authorization code is invalid.' } },
    refresh: true,
  },
  api: {
    'GET https://apis.roblox.com/oauth/v1/userinfo': ({ person }) => ({
      sub: person.id,
      name: 'rob',
      nickname: 'Rob Lox',
      preferred_username: 'roblox',
      created_at: 1_584_682_495,
      profile: 'https://www.roblox.com/users/1516563360/profile',
      picture: 'https://tr.example.com/r.png',
    }),
  },
}
