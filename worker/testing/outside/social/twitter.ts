import type { ProviderDocumentation } from '../provider-documentation.ts'

export const twitter: ProviderDocumentation = {
  id: 'twitter',
  documents: [
    'https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token',
    'https://docs.x.com/x-api/users/get-my-user',
  ],
  clientId: 'V1ROclFTMTRiVWhwTWw4M2FVNWFk_-Q',
  clientSecret: '1-RoLx3x58JA8Sm9JIt2fmAjq3q5GX-bqZ3vjJ_xSeGs',
  authorization: {
    url: 'https://x.com/i/oauth2/authorize',
    scopes: ['users.read', 'tweet.read', 'offline.access', 'users.email'],
    pkce: 'required',
    refusal: { error: 'access_denied' },
  },
  token: {
    url: 'https://api.x.com/2/oauth2/token',
    authentication: 'basic',
    answer: ({ scopes }) => ({
      token_type: 'bearer',
      expires_in: 7200,
      scope: scopes.join(' '),
      refresh_token: scopes.includes('offline.access') || undefined,
    }),
    refusal: {
      status: 400,
      body: { error: 'invalid_request', error_description: 'Value passed for the authorization code was invalid.' },
    },
    refresh: true,
  },
  api: {
    'GET https://api.x.com/2/users/me': ({ person, request, scopes }) => {
      const fields = (request.url.searchParams.get('user.fields') ?? '').split(',')
      const known: Record<string, unknown> = {
        profile_image_url: 'https://pbs.example.com/x.jpg',
        confirmed_email: scopes.includes('users.email') ? person.email : undefined,
        verified: false,
      }
      const shown = Object.fromEntries(fields.map((field) => [field, known[field]]))
      return { data: { id: person.id, name: 'X Dev', username: 'xdev', ...shown } }
    },
  },
}
