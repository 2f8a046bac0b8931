import type { ProviderDocumentation } from '../provider-documentation.ts'

export const dropbox: ProviderDocumentation = {
  id: 'dropbox',
  documents: [
    'https://developers.dropbox.com/oauth-guide',
    'https://www.dropbox.com/developers/documentation/http/documentation#users-get_current_account',
  ],
  clientId: 'dropbox-app_key',
  clientSecret: 'dropbox-app_secret',
  options: { accessType: 'offline' },
  authorization: {
    url: 'https://www.dropbox.com/oauth2/authorize',
    optional: ['token_access_type', 'force_reapprove', 'include_granted_scopes'],
    scopes: ['account_info.read', 'files.metadata.read'],
    pkce: 'supported',
    refusal: { error: 'access_denied', error_description: 'The user chose not to give your app access.' },
  },
  token: {
    url: 'https://api.dropboxapi.com/oauth2/token',
    authentication: 'either',
    answer: ({ scopes }) => ({
      token_type: 'bearer',
      expires_in: 14_400,
      scope: scopes.join(' '),
      account_id: 'dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc',
      uid: '12345',
      refresh_token: true,
    }),
    refusal: {
      status: 400,
      body: { error: 'invalid_grant', error_description: "code doesn't exist or has expired" },
    },
    refresh: true,
  },
  api: {
    'POST https://api.dropboxapi.com/2/users/get_current_account': ({ person, request }) => {
      const type = request.headers.get('content-type')
      const acceptable = request.body === '' ? type === null : request.body === 'null' && type === 'application/json'
      if (!acceptable) return new Response('Error in call to API function: bad body', { status: 400 })
      return {
        account_id: person.id,
        name: {
          given_name: 'Franz',
          surname: 'Ferdinand',
          familiar_name: 'Franz',
          display_name: 'Franz Ferdinand',
          abbreviated_name: 'FF',
        },
        email: person.email,
        email_verified: true,
        disabled: false,
        profile_photo_url: 'https://dl-web.example.com/d.png',
        account_type: { '.tag': 'basic' },
      }
    },
  },
}
