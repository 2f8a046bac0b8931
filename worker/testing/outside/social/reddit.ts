import type { ProviderDocumentation } from '../provider-documentation.ts'

export const reddit: ProviderDocumentation = {
  id: 'reddit',
  documents: ['https://github.com/reddit-archive/reddit/wiki/OAuth2', 'https://www.reddit.com/dev/api/#GET_api_v1_me'],
  clientId: 'reddit-client_1',
  clientSecret: 'reddit-secret_-1',
  options: { duration: 'permanent' },
  authorization: {
    url: 'https://www.reddit.com/api/v1/authorize',
    optional: ['duration'],
    scopes: ['identity', 'read'],
    pkce: 'unknown',
    refusal: { error: 'access_denied' },
  },
  token: {
    url: 'https://www.reddit.com/api/v1/access_token',
    authentication: 'basic',
    // The API rejects agents without a name.
    headers: { 'user-agent': /gatehouse/i },
    answer: ({ scopes }) => ({
      token_type: 'bearer',
      expires_in: 86_400,
      scope: scopes.join(' '),
      refresh_token: true,
    }),
    refusal: { status: 200, body: { error: 'invalid_grant' } },
    refresh: true,
  },
  apiHeaders: { 'user-agent': /gatehouse/i },
  api: {
    'GET https://oauth.reddit.com/api/v1/me': ({ person }) => ({
      id: person.id,
      name: 'red_dit',
      oauth_client_id: 'reddit-client_1',
      has_verified_email: true,
      icon_img: 'https://styles.example.com/r.png?width=256&amp;height=256&amp;s=abc',
    }),
  },
}
