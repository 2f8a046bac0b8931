import * as z from 'zod'
import { getObject } from '../model/fetch-json.ts'
import { defineProvider, type ProviderOptions } from '../model/provider.ts'
import { valueAt } from './profile-values.ts'

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oidc */
export interface TwitchOptions extends ProviderOptions {
  /** Claims requested for the id token. */
  claims?: string[]
}

export const twitch = defineProvider<TwitchOptions>({
  id: 'twitch',
  name: 'Twitch',
  options: { claims: z.array(z.string()) },
  authorization: 'https://id.twitch.tv/oauth2/authorize',
  token: 'https://id.twitch.tv/oauth2/token',
  scopes: ['user:read:email', 'openid'],
  pkce: false,
  clientAuthentication: 'post',
  authorizationParameters: ({ claims = ['email', 'email_verified', 'preferred_username', 'picture'] }) => ({
    claims: JSON.stringify({ id_token: Object.fromEntries(claims.map((claim) => [claim, null])) }),
  }),
  idToken: { issuer: 'https://id.twitch.tv/oauth2', jwks: 'https://id.twitch.tv/oauth2/keys', algorithms: ['RS256'] },
  async fetchProfile({ claims, accessToken }, { options, outside }) {
    if (claims) return claims
    const answer = await getObject({ outside }, 'https://api.twitch.tv/helix/users', {
      accessToken,
      headers: { 'client-id': options.clientId },
    })
    return { ...(valueAt(answer, 'data', 0) as object | undefined) }
  },
  toUser: (profile) => ({
    id: profile.sub ?? profile.id,
    name: profile.preferred_username ?? profile.display_name,
    email: profile.email,
    image: profile.picture ?? profile.profile_image_url,
    emailVerified: profile.email_verified,
  }),
})
