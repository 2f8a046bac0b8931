import type { ProviderDocumentation } from '../provider-documentation.ts'

export const linkedin: ProviderDocumentation = {
  id: 'linkedin',
  documents: [
    'https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow',
    'https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2',
  ],
  clientId: '77linkedin',
  clientSecret: 'WPL_AP1.linkedin==',
  authorization: {
    url: 'https://www.linkedin.com/oauth/v2/authorization',
    scopes: ['openid', 'profile', 'email', 'w_member_social'],
    pkce: 'unknown',
    refusal: { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization' },
  },
  token: {
    url: 'https://www.linkedin.com/oauth/v2/accessToken',
    authentication: 'post',
    // Refresh tokens are for selected partners.
    answer: ({ scopes }) => ({
      expires_in: 5_184_000,
      scope: scopes.join(','),
      token_type: 'Bearer',
      id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl',
    }),
    refusal: {
      status: 400,
      body: {
        error: 'invalid_request',
        error_description:
          'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.',
      },
    },
  },
  api: {
    'GET https://api.linkedin.com/v2/userinfo': ({ person }) => ({
      sub: person.id,
      name: 'Lin Ked',
      given_name: 'Lin',
      family_name: 'Ked',
      picture: 'https://media.example.com/l.jpg',
      locale: { country: 'US', language: 'en' },
      email: person.email,
      email_verified: true,
    }),
  },
}
