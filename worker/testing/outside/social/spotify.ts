import type { ProviderDocumentation } from '../provider-documentation.ts'

export const spotify: ProviderDocumentation = {
  id: 'spotify',
  documents: [
    'https://developer.spotify.com/documentation/web-api/tutorials/code-flow',
    'https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile',
  ],
  clientId: 'spotify-client_1',
  clientSecret: 'spotify-secret_1',
  authorization: {
    url: 'https://accounts.spotify.com/authorize',
    optional: ['show_dialog'],
    scopes: ['user-read-email', 'user-read-private'],
    pkce: 'supported',
    refusal: { error: 'access_denied' },
  },
  token: {
    url: 'https://accounts.spotify.com/api/token',
    authentication: 'basic',
    answer: ({ scopes }) => ({
      token_type: 'Bearer',
      scope: scopes.join(' '),
      expires_in: 3600,
      refresh_token: true,
    }),
    refusal: { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid authorization code' } },
    refresh: true,
  },
  api: {
    'GET https://api.spotify.com/v1/me': ({ person }) => ({
      display_name: 'Spo Tify',
      email: person.email,
      href: 'https://api.spotify.com/v1/users/4242',
      id: person.id,
      images: [{ url: 'https://i.example.com/s.jpg', height: 300, width: 300 }],
      type: 'user',
    }),
  },
}
