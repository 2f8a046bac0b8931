import * as z from 'zod'
import { getObject } from '../fetch-json.ts'
import { defineProvider, type ProviderOptions } from '../provider.ts'
import { dig } from './dig.ts'

/**
 * https://developers.tiktok.com/doc/login-kit-web
 *
 * TikTok tells nobody's address: without a `mapProfileToUser` that gives one, people are asked for
 * one (account.askForEmail), or their sign-ins end in `email_not_found`.
 */
export interface TiktokOptions extends ProviderOptions {
  /** TikTok's word for a client id. */
  clientKey?: string
}

export const tiktok = defineProvider<TiktokOptions>({
  id: 'tiktok',
  name: 'TikTok',
  withoutEmail: true,
  options: { clientKey: z.string() },
  authorization: 'https://www.tiktok.com/v2/auth/authorize',
  token: 'https://open.tiktokapis.com/v2/oauth/token/',
  scopes: ['user.info.profile'],
  scopeSeparator: ',',
  pkce: false,
  clientId: ({ clientKey, clientId }) => clientKey ?? clientId,
  clientAuthentication: 'post',
  parameterNames: { client_id: 'client_key' },
  readTokenAnswer: ({ refresh_expires_in, ...answer }) => ({
    ...answer,
    refresh_token_expires_in: refresh_expires_in,
  }),
  // A field that the granted scopes do not cover spoils the whole answer.
  fetchProfile({ accessToken, scopes }, { outside }) {
    const fields = ['open_id', 'union_id', 'avatar_large_url', 'display_name']
    if (scopes.includes('user.info.profile')) fields.push('username')
    const url = `https://open.tiktokapis.com/v2/user/info/?fields=${fields.join(',')}`
    return getObject({ outside }, url, { accessToken })
  },
  toUser: ({ data }) => ({
    id: dig(data, 'user', 'open_id'),
    name: dig(data, 'user', 'display_name') ?? dig(data, 'user', 'username'),
    email: undefined,
    image: dig(data, 'user', 'avatar_large_url'),
    emailVerified: false,
  }),
})
