import * as z from 'zod'
import { randomString } from '../../../kit/random.ts'
import { getObject } from '../model/fetch-json.ts'
import { defineProvider, type Profile, type ProviderOptions } from '../model/provider.ts'
import { fullName, valueAt } from './profile-values.ts'

/** Languages of VK's pages. */
export const vkLanguages = { RUS: 0, UKR: 1, ENG: 3, SPA: 4, GERMAN: 6, POL: 15, FRA: 16, TURKEY: 82 } as const

/** https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-integration/api-description */
export interface VkOptions extends ProviderOptions {
  /** One of `vkLanguages`. */
  lang_id?: (typeof vkLanguages)[keyof typeof vkLanguages]
  /** The theme of the sign-in page. */
  scheme?: 'light' | 'dark'
}

export const vk = defineProvider<VkOptions>({
  id: 'vk',
  name: 'VK',
  options: { lang_id: z.literal(Object.values(vkLanguages)), scheme: z.enum(['light', 'dark']) },
  authorization: 'https://id.vk.com/authorize',
  token: 'https://id.vk.com/oauth2/auth',
  scopes: ['email', 'phone'],
  pkce: true,
  // OAuth 2.1: the code verifier authenticates the client, without a secret.
  clientAuthentication: 'none',
  authorizationParameters: ({ lang_id, scheme }) => ({ lang_id: lang_id?.toString(), scheme }),
  // VK binds a code and its tokens to the device in the callback.
  tokenParameters: ({ callback: { device_id, state } }) => ({ device_id, state }),
  refresh: {
    keep: ['device_id'],
    parameters: ({ callback: { device_id } }) => ({ device_id, state: randomString(32) }),
  },
  fetchProfile: ({ accessToken }, { options, outside }) =>
    getObject({ outside }, 'https://id.vk.com/oauth2/user_info', {
      method: 'POST',
      body: new URLSearchParams({ client_id: options.clientId, access_token: accessToken ?? '' }),
    }),
  toUser: ({ user }) => ({
    id: valueAt(user, 'user_id'),
    name: fullName(valueAt(user, 'first_name'), valueAt(user, 'last_name')),
    email: valueAt(user, 'email'),
    image: valueAt(user, 'avatar'),
    // `verified` refers to the badge. VK does not return it for the address.
    emailVerified: false,
    extra: pick(user, 'first_name', 'last_name', 'birthday', 'sex'),
  }),
})

const pick = (value: unknown, ...names: string[]): Profile =>
  Object.fromEntries(names.map((name) => [name, valueAt(value, name)]))
