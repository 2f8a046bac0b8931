import { defineProvider, type ProviderOptions } from '../model/provider.ts'

/**
 * https://create.roblox.com/docs/cloud/auth/oauth2-reference Roblox returns addresses to its own applications only:
 * other users are asked for one (account.askForEmail) unless `mapProfileToUser` returns one.
 */
export interface RobloxOptions extends ProviderOptions {
  /** Default: `select_account consent`. */
  prompt?: 'none' | 'consent' | 'login' | 'select_account' | 'select_account consent'
}

export const roblox = defineProvider<RobloxOptions>({
  id: 'roblox',
  name: 'Roblox',
  withoutEmail: true,
  authorization: 'https://apis.roblox.com/oauth/v1/authorize',
  token: 'https://apis.roblox.com/oauth/v1/token',
  userInfo: 'https://apis.roblox.com/oauth/v1/userinfo',
  scopes: ['openid', 'profile'],
  pkce: false,
  clientAuthentication: 'post',
  prompt: 'select_account consent',
  toUser: ({ sub, nickname, preferred_username, email, email_verified, picture }) => ({
    id: sub,
    name: nickname || preferred_username,
    email,
    image: picture,
    emailVerified: email_verified,
  }),
})
