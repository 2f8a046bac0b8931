import * as z from 'zod'
import { defineProvider, type ProviderOptions } from '../model/provider.ts'
import { fullName } from './profile-values.ts'

/** https://developers.zoom.us/docs/integrations/oauth/ */
export interface ZoomOptions extends ProviderOptions {
  /** Default: true. */
  pkce?: boolean
}

export const zoom = defineProvider<ZoomOptions>({
  id: 'zoom',
  name: 'Zoom',
  options: { pkce: z.boolean() },
  authorization: 'https://zoom.us/oauth/authorize',
  token: 'https://zoom.us/oauth/token',
  userInfo: 'https://api.zoom.us/v2/users/me',
  // The app's registration defines what it may read.
  scopes: [],
  pkce: ({ pkce }) => pkce ?? true,
  clientAuthentication: 'basic',
  toUser: ({ id, display_name, first_name, last_name, email, pic_url, verified }) => ({
    id,
    name: display_name || fullName(first_name, last_name),
    email,
    image: pic_url,
    // The number 1: the account's address was verified.
    emailVerified: verified === 1,
  }),
})
