import type { ProviderDocumentation } from '../provider-documentation.ts'

export const apple: ProviderDocumentation = {
  id: 'apple',
  documents: [
    'https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server',
    'https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens',
  ],
  clientId: 'com.example.web',
  clientSecret: '',
  authorization: {
    url: 'https://appleid.apple.com/auth/authorize',
    // A scope requires a form post.
    fixed: { response_type: 'code id_token', response_mode: 'form_post' },
    scopes: ['name', 'email'],
    pkce: 'unknown',
    callback: 'form',
    additional: { user: '{"name":{"firstName":"Ap","lastName":"Ple"},"email":"another-client@example.com"}' },
    refusal: { error: 'user_cancelled_authorize' },
  },
  token: {
    url: 'https://appleid.apple.com/auth/token',
    authentication: 'signed',
    answer: () => ({ token_type: 'Bearer', expires_in: 3600, refresh_token: true, id_token: true }),
    refusal: {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'The code has expired or has been revoked.' },
    },
    refresh: true,
  },
  issuer: 'https://appleid.apple.com',
  jwks: 'https://appleid.apple.com/auth/keys',
  // `email_verified` is a boolean or a string.
  claims: ({ id, email }) => ({ sub: id, email, email_verified: 'true', is_private_email: 'false' }),
  api: {},
}
