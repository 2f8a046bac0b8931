import * as z from 'zod'
import { getObject } from '../model/fetch-json.ts'
import { defineProvider, type ProviderOptions } from '../model/provider.ts'
import { valueAt } from './profile-values.ts'

/** https://developers.dropbox.com/oauth-guide */
export interface DropboxOptions extends ProviderOptions {
  /** `offline`: Dropbox returns a refresh token. */
  accessType?: 'online' | 'offline' | 'legacy'
}

export const dropbox = defineProvider<DropboxOptions>({
  id: 'dropbox',
  name: 'Dropbox',
  options: { accessType: z.enum(['online', 'offline', 'legacy']) },
  authorization: 'https://www.dropbox.com/oauth2/authorize',
  token: 'https://api.dropboxapi.com/oauth2/token',
  scopes: ['account_info.read'],
  pkce: true,
  clientAuthentication: 'basic',
  authorizationParameters: ({ accessType }) => ({ token_access_type: accessType }),
  // A remote procedure without arguments is a POST without a body.
  fetchProfile: ({ accessToken }, { outside }) =>
    getObject({ outside }, 'https://api.dropboxapi.com/2/users/get_current_account', { method: 'POST', accessToken }),
  toUser: ({ account_id, name, email, email_verified, profile_photo_url }) => ({
    id: account_id,
    name: valueAt(name, 'display_name'),
    email,
    image: profile_photo_url,
    emailVerified: email_verified,
  }),
})
