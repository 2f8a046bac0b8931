import type { ProviderDocumentation } from '../provider-documentation.ts'

const fieldsOf: Record<string, string[]> = {
  'user.info.basic': ['open_id', 'union_id', 'avatar_url', 'avatar_large_url', 'display_name'],
  'user.info.profile': ['username', 'bio_description', 'profile_deep_link', 'is_verified'],
}

export const tiktok: ProviderDocumentation = {
  id: 'tiktok',
  documents: [
    'https://developers.tiktok.com/doc/login-kit-web',
    'https://developers.tiktok.com/doc/oauth-user-access-token-management',
    'https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info',
  ],
  clientId: 'awtiktokkey',
  clientSecret: 'tiktok-secret',
  options: { clientId: undefined, clientKey: 'awtiktokkey' },
  authorization: {
    url: 'https://www.tiktok.com/v2/auth/authorize',
    clientIdName: 'client_key',
    optional: ['disable_auto_auth'],
    scopes: ['user.info.basic', 'user.info.profile', 'video.list'],
    scopeSeparator: ',',
    pkce: 'unknown',
    refusal: {
      error: 'access_denied',
      error_description: 'User denied the authorization',
      error_type: 'access_denied',
    },
  },
  token: {
    url: 'https://open.tiktokapis.com/v2/oauth/token/',
    authentication: 'post',
    clientIdName: 'client_key',
    // Every application of Login Kit has the basic scope.
    answer: ({ scopes }) => ({
      token_type: 'Bearer',
      expires_in: 86_400,
      open_id: 'afd97af1-b87b-48b9-ac98-410aghda5344',
      refresh_expires_in: 31_536_000,
      refresh_token: true,
      scope: ['user.info.basic', ...scopes].join(','),
    }),
    refusal: {
      status: 200,
      body: {
        error: 'invalid_grant',
        error_description: 'Authorization code is expired.',
        log_id: '202206221854370101130062072500FFA2',
      },
    },
    refresh: true,
  },
  api: {
    'GET https://open.tiktokapis.com/v2/user/info/': ({ person, request, scopes }) => {
      const asked = (request.url.searchParams.get('fields') ?? '').split(',')
      const allowed = ['user.info.basic', ...scopes].flatMap((scope) => fieldsOf[scope] ?? [])
      if (asked.some((field) => !allowed.includes(field))) {
        return Response.json(
          { data: {}, error: { code: 'scope_not_authorized', message: 'The user did not authorize the scope' } },
          { status: 401 },
        )
      }
      const known: Record<string, unknown> = {
        open_id: person.id,
        union_id: 'union-1',
        avatar_large_url: 'https://p16.example.com/t.jpeg',
        display_name: 'Tik Tok',
        username: 'tiktok',
      }
      return {
        data: { user: Object.fromEntries(asked.map((field) => [field, known[field]])) },
        error: { code: 'ok', message: '', log_id: '20220829194722CBE87ED59D524E727021' },
      }
    },
  },
}
