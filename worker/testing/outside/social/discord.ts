import type { ProviderDocumentation } from '../provider-documentation.ts'

export const discord: ProviderDocumentation = {
  id: 'discord',
  documents: [
    'https://discord.com/developers/docs/topics/oauth2',
    'https://discord.com/developers/docs/resources/user',
  ],
  clientId: '157730590492196864',
  clientSecret: '937it3ow87i4ery69876-qire_',
  authorization: {
    url: 'https://discord.com/api/oauth2/authorize',
    optional: ['prompt'],
    scopes: ['identify', 'email', 'guilds', 'connections'],
    pkce: 'unknown',
    refusal: {
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request',
    },
  },
  token: {
    url: 'https://discord.com/api/oauth2/token',
    authentication: 'either',
    answer: ({ scopes }) => ({
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: true,
      scope: scopes.join(' '),
    }),
    refusal: { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid "code" in request.' } },
    refresh: true,
  },
  api: {
    'GET https://discord.com/api/users/@me': ({ person, scopes }) => ({
      id: person.id,
      username: 'nelly',
      discriminator: '0',
      global_name: 'Nelly',
      avatar: '8342729096ea3675442027381ff50dfe',
      ...(scopes.includes('email') ? { verified: true, email: person.email ?? null } : {}),
      locale: 'en-US',
    }),
  },
}
