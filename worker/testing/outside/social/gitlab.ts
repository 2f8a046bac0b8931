import type { ProviderDocumentation } from '../provider-documentation.ts'

export const gitlab: ProviderDocumentation = {
  id: 'gitlab',
  documents: ['https://docs.gitlab.com/api/oauth2/', 'https://docs.gitlab.com/api/users/#retrieve-the-current-user'],
  clientId: 'gitlab-client',
  clientSecret: 'gloas-secret',
  authorization: {
    url: 'https://gitlab.com/oauth/authorize',
    scopes: ['read_user', 'openid', 'profile', 'email', 'api'],
    pkce: 'supported',
    refusal: {
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request.',
    },
  },
  token: {
    url: 'https://gitlab.com/oauth/token',
    authentication: 'either',
    answer: ({ scopes }) => ({
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: true,
      scope: scopes.join(' '),
      created_at: 1_607_635_748,
    }),
    refusal: {
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'The provided authorization grant is invalid, expired, revoked, or does not match.',
      },
    },
    refresh: true,
  },
  api: {
    'GET https://gitlab.com/api/v4/user': ({ person }) => ({
      id: person.id === undefined ? undefined : Number(person.id),
      username: 'gity',
      name: 'Git Lab',
      state: 'active',
      locked: false,
      avatar_url: 'https://gitlab.example.com/g.png',
      confirmed_at: '2012-05-23T09:05:22.000Z',
      email: person.email,
      commit_email: 'commit@example.com',
    }),
  },
}
