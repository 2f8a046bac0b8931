import type { ProviderDocumentation } from '../provider-documentation.ts'

export const twitch: ProviderDocumentation = {
  id: 'twitch',
  documents: [
    'https://dev.twitch.tv/docs/authentication/getting-tokens-oidc',
    'https://dev.twitch.tv/docs/api/reference#get-users',
  ],
  clientId: 'hof5gwx0su6owfnys0yan9c87zr6t',
  clientSecret: 'twitch-secret',
  authorization: {
    url: 'https://id.twitch.tv/oauth2/authorize',
    optional: ['claims', 'force_verify'],
    scopes: ['openid', 'user:read:email'],
    pkce: 'unknown',
    refusal: { error: 'access_denied', error_description: 'The user denied you access' },
  },
  token: {
    url: 'https://id.twitch.tv/oauth2/token',
    authentication: 'post',
    // A list; the standard has a string.
    answer: ({ scopes }) => ({
      token_type: 'bearer',
      expires_in: 14_124,
      scope: scopes,
      refresh_token: true,
      id_token: true,
    }),
    refusal: { status: 400, body: { status: 400, message: 'Invalid authorization code' } },
    refresh: true,
  },
  issuer: 'https://id.twitch.tv/oauth2',
  jwks: 'https://id.twitch.tv/oauth2/keys',
  claims: ({ id, email }) => ({
    sub: id,
    azp: 'hof5gwx0su6owfnys0yan9c87zr6t',
    email,
    email_verified: true,
    preferred_username: 'Twi_tch',
    picture: 'https://static.example.com/t.png',
  }),
  apiHeaders: { 'client-id': /^hof5gwx0su6owfnys0yan9c87zr6t$/ },
  api: {
    'GET https://api.twitch.tv/helix/users': ({ person }) => ({
      data: [
        {
          id: person.id,
          login: 'twi_tch',
          display_name: 'Twi_tch',
          profile_image_url: 'https://static.example.com/t.png',
          email: person.email,
        },
      ],
    }),
  },
}
