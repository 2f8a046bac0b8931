import * as z from 'zod'
import { defineProvider, type ProviderOptions } from '../model/provider.ts'

/**
 * https://github.com/reddit-archive/reddit/wiki/OAuth2
 * Reddit returns no address: users are asked for one (account.askForEmail) unless `mapProfileToUser` returns one.
 */
export interface RedditOptions extends ProviderOptions {
  /** `permanent`: Reddit returns a refresh token. */
  duration?: 'temporary' | 'permanent'
}

export const reddit = defineProvider<RedditOptions>({
  id: 'reddit',
  name: 'Reddit',
  withoutEmail: true,
  options: { duration: z.enum(['temporary', 'permanent']) },
  authorization: 'https://www.reddit.com/api/v1/authorize',
  token: 'https://www.reddit.com/api/v1/access_token',
  userInfo: 'https://oauth.reddit.com/api/v1/me',
  scopes: ['identity'],
  pkce: false,
  clientAuthentication: 'basic',
  authorizationParameters: ({ duration }) => ({ duration }),
  toUser: ({ id, name, icon_img }) => ({
    id,
    name,
    email: undefined,
    // The query is HTML-escaped and not required.
    image: typeof icon_img === 'string' ? icon_img.split('?')[0] : undefined,
    emailVerified: false,
  }),
})
