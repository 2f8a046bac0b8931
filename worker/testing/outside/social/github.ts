import type { ProviderDocumentation } from '../provider-documentation.ts'

export const github: ProviderDocumentation = {
  id: 'github',
  documents: [
    'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    'https://docs.github.com/en/rest/users/users#get-the-authenticated-user',
    'https://docs.github.com/en/rest/users/emails#list-email-addresses-for-the-authenticated-user',
  ],
  clientId: 'Iv1.8a61f9b3a7aba766',
  clientSecret: 'github-secret',
  authorization: {
    url: 'https://github.com/login/oauth/authorize',
    optional: ['login', 'allow_signup', 'prompt'],
    scopes: ['read:user', 'user:email', 'user', 'repo', 'gist'],
    pkce: 'supported',
    refusal: {
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
      error_uri: 'https://docs.github.com/apps/troubleshooting-authorization-request-errors/#access-denied',
    },
  },
  token: {
    url: 'https://github.com/login/oauth/access_token',
    authentication: 'post',
    // Without it the response is a form.
    headers: { accept: /application\/json/ },
    answer: ({ scopes }) => ({ token_type: 'bearer', scope: scopes.join(',') }),
    // An error with the status of a success.
    refusal: {
      status: 200,
      body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
    },
  },
  apiHeaders: { 'user-agent': /./ },
  api: {
    'GET https://api.github.com/user': ({ person }) => ({
      login: 'octo',
      id: person.id === undefined ? undefined : Number(person.id),
      avatar_url: 'https://avatars.example.com/u/4242',
      name: 'Octo Cat',
      // The API returns the address only if its owner has made it public.
      email: null,
    }),
    'GET https://api.github.com/user/emails': ({ person }) => [
      { email: '4242+octo@users.noreply.github.com', primary: false, verified: true, visibility: null },
      ...(person.email ? [{ email: person.email, primary: true, verified: true, visibility: 'private' }] : []),
    ],
  },
}
