import * as z from 'zod'
import { defineProvider, type ProviderOptions } from '../model/provider.ts'

/** https://developers.google.com/identity/openid-connect/openid-connect */
export interface GoogleOptions extends ProviderOptions {
  /** `offline`: Google returns a refresh token with the first consent. */
  accessType?: 'online' | 'offline'
  /** Only accounts of this Workspace domain, which is verified in the id token; `*` for any Workspace domain. */
  hd?: string
  /** The parameter `display` of the authorization request. */
  display?: 'page' | 'popup' | 'touch' | 'wap'
}

export const google = defineProvider<GoogleOptions>({
  id: 'google',
  name: 'Google',
  options: {
    accessType: z.enum(['online', 'offline']),
    hd: z.string(),
    display: z.enum(['page', 'popup', 'touch', 'wap']),
  },
  authorization: 'https://accounts.google.com/o/oauth2/auth',
  token: 'https://oauth2.googleapis.com/token',
  issuer: 'https://accounts.google.com',
  // The documented values: none, consent, select_account.
  reauthenticationPrompt: 'select_account',
  scopes: ['email', 'profile', 'openid'],
  pkce: true,
  clientAuthentication: 'post',
  loginHint: 'login_hint',
  authorizationParameters: ({ accessType, hd, display }) => ({ access_type: accessType, hd, display }),
  idToken: {
    issuer: ['https://accounts.google.com', 'accounts.google.com'],
    jwks: 'https://www.googleapis.com/oauth2/v3/certs',
  },
  // The parameter only selects an account. The claim proves that it belongs to the domain.
  fetchProfile: async ({ claims }, { options: { hd } }) =>
    hd === undefined || (hd === '*' ? typeof claims?.hd === 'string' : claims?.hd === hd) ? claims : null,
  toUser: ({ sub, name, email, picture, email_verified }) => ({
    id: sub,
    name,
    email,
    image: picture,
    emailVerified: email_verified,
  }),
})
