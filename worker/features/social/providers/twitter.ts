import { getObject } from '../fetch-json.ts'
import { defineProvider } from '../provider.ts'
import { dig } from './dig.ts'

/** https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code */
export const twitter = defineProvider({
  id: 'twitter',
  name: 'X',
  authorization: 'https://x.com/i/oauth2/authorize',
  token: 'https://api.x.com/2/oauth2/token',
  scopes: ['users.read', 'tweet.read', 'offline.access', 'users.email'],
  pkce: true,
  clientAuthentication: 'basic',
  // A field that the scopes do not cover spoils the whole answer.
  fetchProfile: ({ accessToken, scopes }, { outside }) => {
    const fields = ['profile_image_url', ...(scopes.includes('users.email') ? ['confirmed_email'] : [])]
    return getObject({ outside }, `https://api.x.com/2/users/me?user.fields=${fields.join(',')}`, { accessToken })
  },
  toUser: ({ data }) => ({
    id: dig(data, 'id'),
    name: dig(data, 'name'),
    email: dig(data, 'confirmed_email'),
    image: dig(data, 'profile_image_url'),
    // The field holds confirmed addresses only. (`verified` is about the badge.)
    emailVerified: typeof dig(data, 'confirmed_email') === 'string',
  }),
})
