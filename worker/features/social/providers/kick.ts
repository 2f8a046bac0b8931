import { defineProvider } from '../model/provider.ts'
import { valueAt } from './profile-values.ts'

/** https://docs.kick.com/getting-started/generating-tokens-oauth2-flow */
export const kick = defineProvider({
  id: 'kick',
  name: 'Kick',
  authorization: 'https://id.kick.com/oauth/authorize',
  token: 'https://id.kick.com/oauth/token',
  userInfo: 'https://api.kick.com/public/v1/users',
  scopes: ['user:read'],
  pkce: true,
  clientAuthentication: 'post',
  toUser: ({ data }) => ({
    id: valueAt(data, 0, 'user_id'),
    name: valueAt(data, 0, 'name'),
    email: valueAt(data, 0, 'email'),
    image: valueAt(data, 0, 'profile_picture'),
    // Kick does not return it.
    emailVerified: false,
  }),
})
