import * as z from 'zod'
import { getObject } from '../model/fetch-json.ts'
import { defineProvider, type ProviderOptions } from '../model/provider.ts'
import { valueAt } from './profile-values.ts'

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
export interface FacebookOptions extends ProviderOptions {
  /** Requested fields in addition to id, name, email and picture. */
  fields?: string[]
  /** The configuration of Facebook Login for Business. */
  configId?: string
}

const graph = 'https://graph.facebook.com/v21.0'

export const facebook = defineProvider<FacebookOptions>({
  id: 'facebook',
  name: 'Facebook',
  options: { fields: z.array(z.string()), configId: z.string() },
  authorization: 'https://www.facebook.com/v21.0/dialog/oauth',
  token: `${graph}/oauth/access_token`,
  userInfo: ({ fields = [] }) => `${graph}/me?fields=${['id', 'name', 'email', 'picture', ...fields].join(',')}`,
  scopes: ['email', 'public_profile'],
  pkce: false,
  clientAuthentication: 'post',
  authorizationParameters: ({ configId }) => ({ config_id: configId }),
  // Access tokens are valid for 60 days. A new sign-in renews them.
  refresh: false,
  // Limited Login on iOS: https://developers.facebook.com/docs/facebook-login/limited-login/token
  idToken: {
    issuer: ['https://www.facebook.com', 'https://limited.facebook.com'],
    // The code flow returns no id token.
    echoesNonce: false,
    jwks: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
    async acceptOpaque(token, { options, outside }) {
      const answer = await getObject({ outside }, `${graph}/debug_token?input_token=${encodeURIComponent(token)}`, {
        accessToken: `${options.clientId}|${options.clientSecret}`,
      })
      const { app_id, is_valid, type } = (answer.data ?? {}) as Record<string, unknown>
      return is_valid === true && type === 'USER' && String(app_id) === options.clientId
    },
  },
  // The profile does not say whether the address is verified.
  toUser: ({ id, name, email, picture, email_verified }) => ({
    id,
    name,
    email,
    image: valueAt(picture, 'data', 'url'),
    emailVerified: email_verified,
  }),
  toUserFromClaims: ({ sub, name, email, picture, email_verified }) => ({
    id: sub,
    name,
    email,
    image: picture,
    emailVerified: email_verified,
  }),
})
