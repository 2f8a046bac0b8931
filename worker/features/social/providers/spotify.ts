import { defineProvider } from '../model/provider.ts'
import { valueAt } from './profile-values.ts'

/** https://developer.spotify.com/documentation/web-api/tutorials/code-flow */
export const spotify = defineProvider({
  id: 'spotify',
  name: 'Spotify',
  authorization: 'https://accounts.spotify.com/authorize',
  token: 'https://accounts.spotify.com/api/token',
  userInfo: 'https://api.spotify.com/v1/me',
  scopes: ['user-read-email'],
  pkce: true,
  clientAuthentication: 'basic',
  toUser: ({ id, display_name, email, images }) => ({
    id,
    name: display_name,
    email,
    image: valueAt(images, 0, 'url'),
    // The reference of the profile: "This email address is unverified".
    emailVerified: false,
  }),
})
