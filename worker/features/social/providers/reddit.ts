import * as z from 'zod'
import { defineProvider, type ProviderOptions } from '../provider.ts'

/**
 * https://github.com/reddit-archive/reddit/wiki/OAuth2
 *
 * Reddit says whether an address was verified, but not which: without a `mapProfileToUser` that gives one, people are
 * asked for one (account.askForEmail), or their people are asked for
 * one (account.askForEmail), or their sign-ins end in `email_not_found`.
 */
export interface RedditOptions extends ProviderOptions {
  /** `permanent`: with a refresh token. */
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
    // Its query is escaped for HTML, and not needed.
    image: typeof icon_img === 'string' ? icon_img.split('?')[0] : undefined,
    emailVerified: false,
  }),
})
