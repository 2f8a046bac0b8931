import * as z from 'zod'
import { getObject } from '../model/fetch-json.ts'
import { defineProvider, type ProviderOptions } from '../model/provider.ts'
import { valueAt } from './profile-values.ts'

/**
 * https://developers.tiktok.com/doc/login-kit-web
 * TikTok returns no address: users are asked for one (account.askForEmail) unless `mapProfileToUser` returns one.
 */
export interface TiktokOptions extends ProviderOptions {
  /** TikTok's name for a client id. */
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
  readTokenResponse: ({ refresh_expires_in, ...answer }) => ({
    ...answer,
    refresh_token_expires_in: refresh_expires_in,
  }),
  // A field that the granted scopes do not cover makes the whole request fail.
  fetchProfile({ accessToken, scopes }, { outside }) {
    const fields = ['open_id', 'union_id', 'avatar_large_url', 'display_name']
    if (scopes.includes('user.info.profile')) fields.push('username')
    const url = `https://open.tiktokapis.com/v2/user/info/?fields=${fields.join(',')}`
    return getObject({ outside }, url, { accessToken })
  },
  toUser: ({ data }) => ({
    id: valueAt(data, 'user', 'open_id'),
    name: valueAt(data, 'user', 'display_name') ?? valueAt(data, 'user', 'username'),
    email: undefined,
    image: valueAt(data, 'user', 'avatar_large_url'),
    emailVerified: false,
  }),
})
