import type { ProviderDocumentation } from '../provider-documentation.ts'

export const facebook: ProviderDocumentation = {
  id: 'facebook',
  documents: [
    'https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow',
    'https://developers.facebook.com/docs/facebook-login/guides/access-tokens/debugging',
  ],
  clientId: '1234567890',
  clientSecret: 'facebook-secret',
  authorization: {
    url: 'https://www.facebook.com/v21.0/dialog/oauth',
    optional: ['config_id', 'auth_type'],
    scopes: ['email', 'public_profile'],
    pkce: 'unknown',
    refusal: { error: 'access_denied', error_reason: 'user_denied', error_description: 'Permissions error' },
  },
  token: {
    url: 'https://graph.facebook.com/v21.0/oauth/access_token',
    authentication: 'post',
    answer: () => ({ token_type: 'bearer', expires_in: 5_183_944 }),
    refusal: {
      status: 400,
      body: {
        error: {
          message: 'This authorization code has been used.',
          type: 'OAuthException',
          code: 100,
          error_subcode: 36009,
          fbtrace_id: 'A1b2',
        },
      },
    },
  },
  issuer: 'https://www.facebook.com',
  jwks: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
  claims: ({ id, email }) => ({ sub: id, email, name: 'Fay Book', picture: 'https://platform.example.com/f.jpg' }),
  api: {
    'GET https://graph.facebook.com/v21.0/me': ({ person, request }) => {
      const fields = (request.url.searchParams.get('fields') ?? 'id,name').split(',')
      const known: Record<string, unknown> = {
        id: person.id,
        name: 'Fay Book',
        email: person.email,
        picture: {
          data: { height: 50, is_silhouette: false, url: 'https://platform.example.com/f.jpg', width: 50 },
        },
      }
      return Object.fromEntries(fields.map((field) => [field, known[field]]))
    },
  },
}
