import { getObject } from '../model/fetch-json.ts'
import { defineProvider } from '../model/provider.ts'
import { valueAt } from './profile-values.ts'

/** https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code */
export const twitter = defineProvider({
  id: 'twitter',
  name: 'X',
  authorization: 'https://x.com/i/oauth2/authorize',
  token: 'https://api.x.com/2/oauth2/token',
  scopes: ['users.read', 'tweet.read', 'offline.access', 'users.email'],
  pkce: true,
  clientAuthentication: 'basic',
  // A field that the scopes do not cover makes the whole request fail.
  fetchProfile: ({ accessToken, scopes }, { outside }) => {
    const fields = ['profile_image_url', ...(scopes.includes('users.email') ? ['confirmed_email'] : [])]
    return getObject({ outside }, `https://api.x.com/2/users/me?user.fields=${fields.join(',')}`, { accessToken })
  },
  toUser: ({ data }) => ({
    id: valueAt(data, 'id'),
    name: valueAt(data, 'name'),
    email: valueAt(data, 'confirmed_email'),
    image: valueAt(data, 'profile_image_url'),
    // The field contains confirmed addresses only. (`verified` refers to the badge.)
    emailVerified: typeof valueAt(data, 'confirmed_email') === 'string',
  }),
})
