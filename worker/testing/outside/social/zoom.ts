import type { ProviderDocumentation } from '../provider-documentation.ts'

export const zoom: ProviderDocumentation = {
  id: 'zoom',
  documents: ['https://developers.zoom.us/docs/integrations/oauth/', 'https://developers.zoom.us/docs/api/users/'],
  clientId: 'zoom_client-1',
  clientSecret: 'zoom_secret-1',
  authorization: {
    url: 'https://zoom.us/oauth/authorize',
    scopes: ['user:read:user'],
    // The app's registration contains them.
    scopeRequired: false,
    pkce: 'supported',
    refusal: { error: 'access_denied', error_description: 'The user denied the request.' },
  },
  token: {
    url: 'https://zoom.us/oauth/token',
    authentication: 'basic',
    answer: () => ({
      token_type: 'bearer',
      expires_in: 3599,
      scope: 'user:read:user',
      refresh_token: true,
      api_url: 'https://api.zoom.us',
    }),
    refusal: { status: 400, body: { reason: 'Invalid authorization code', error: 'invalid_request' } },
    refresh: true,
  },
  api: {
    'GET https://api.zoom.us/v2/users/me': ({ person }) => ({
      id: person.id,
      first_name: 'Zo',
      last_name: 'Om',
      display_name: 'Zo Om',
      email: person.email,
      type: 1,
      verified: 1,
      pic_url: 'https://zoom.example.com/z.png',
      status: 'active',
    }),
  },
}
