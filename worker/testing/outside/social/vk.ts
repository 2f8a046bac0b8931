import type { ProviderDocumentation } from '../provider-documentation.ts'

export const vk: ProviderDocumentation = {
  id: 'vk',
  documents: [
    'https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description',
    'https://github.com/VKCOM/vkid-web-sdk',
  ],
  clientId: '51554753',
  clientSecret: 'vk-secret',
  options: { lang_id: 3, scheme: 'dark' },
  authorization: {
    url: 'https://id.vk.com/authorize',
    optional: ['lang_id', 'scheme', 'prompt', 'provider'],
    scopes: ['email', 'phone', 'vkid.personal_info'],
    pkce: 'required',
    additional: { device_id: 'device-1', type: 'code_v2', ext_id: 'ext-1', expires_in: '600' },
    refusal: { error: 'access_denied', error_description: 'User denied' },
  },
  token: {
    url: 'https://id.vk.com/oauth2/auth',
    authentication: 'none',
    additional: ['device_id', 'state'],
    answer: ({ scopes }) => ({
      token_type: 'Bearer',
      expires_in: 3600,
      user_id: 1_234_567_890,
      state: 'state',
      scope: scopes.join(' '),
      refresh_token: true,
      id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl',
    }),
    refusal: { status: 200, body: { error: 'invalid_grant', error_description: 'Code is invalid or expired' } },
    refresh: true,
  },
  open: ['POST https://id.vk.com/oauth2/user_info'],
  api: {
    'POST https://id.vk.com/oauth2/user_info': ({ person, request, scopes }) => {
      const { form } = request
      if (form.get('client_id') !== '51554753' || !form.get('access_token') || scopes.length === 0) {
        return { error: 'invalid_token', error_description: 'access_token is invalid' }
      }
      return {
        user: {
          user_id: person.id,
          first_name: 'Ivan',
          last_name: 'Ivanov',
          phone: '79991234567',
          avatar: 'https://pp.example.com/v.png',
          email: scopes.includes('email') ? person.email : undefined,
          sex: 2,
          verified: false,
          birthday: '01.01.2000',
        },
      }
    },
  },
}
