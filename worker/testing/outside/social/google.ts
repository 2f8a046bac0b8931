import type { ProviderDocumentation } from '../provider-documentation.ts'

export const google: ProviderDocumentation = {
  id: 'google',
  documents: ['https://developers.google.com/identity/openid-connect/openid-connect'],
  clientId: '424911365001.apps.googleusercontent.com',
  clientSecret: 'google-secret',
  authorization: {
    url: 'https://accounts.google.com/o/oauth2/auth',
    optional: ['access_type', 'hd', 'login_hint', 'prompt', 'display', 'include_granted_scopes'],
    scopes: ['openid', 'email', 'profile', 'https://www.googleapis.com/auth/drive'],
    pkce: 'supported',
    refusal: { error: 'access_denied' },
  },
  token: {
    url: 'https://oauth2.googleapis.com/token',
    authentication: 'post',
    answer: ({ scopes }) => ({
      token_type: 'Bearer',
      expires_in: 3599,
      scope: scopes.join(' '),
      refresh_token: true,
      id_token: true,
    }),
    refusal: { status: 400, body: { error: 'invalid_grant', error_description: 'Bad Request' } },
    refresh: true,
  },
  issuer: 'https://accounts.google.com',
  jwks: 'https://www.googleapis.com/oauth2/v3/certs',
  claims: ({ id, email }) => ({
    sub: id,
    email,
    email_verified: true,
    name: 'Gina Oogle',
    picture: 'https://lh3.example.com/g.png',
  }),
  api: {},
}
