import type { ProviderDocumentation } from '../provider-documentation.ts'

export const kick: ProviderDocumentation = {
  id: 'kick',
  documents: [
    'https://docs.kick.com/getting-started/generating-tokens-oauth2-flow',
    'https://api.kick.com/swagger/doc.yaml',
  ],
  clientId: '01JKICKCLIENT',
  clientSecret: 'kick-secret',
  authorization: {
    url: 'https://id.kick.com/oauth/authorize',
    scopes: ['user:read', 'channel:read'],
    pkce: 'required',
    refusal: { error: 'access_denied', error_description: 'The resource owner denied the request' },
  },
  token: {
    url: 'https://id.kick.com/oauth/token',
    authentication: 'post',
    // The number is a string in the documentation.
    answer: ({ scopes }) => ({
      token_type: 'Bearer',
      expires_in: '7200',
      scope: scopes.join(' '),
      refresh_token: true,
    }),
    refusal: { status: 400, body: { error: 'Invalid request' } },
    refresh: true,
  },
  api: {
    'GET https://api.kick.com/public/v1/users': ({ person }) => ({
      data: [
        {
          email: person.email,
          name: 'Kicker',
          profile_picture: 'https://kick.example.com/k.webp',
          user_id: person.id === undefined ? undefined : Number(person.id),
        },
      ],
      message: 'OK',
    }),
  },
}
