import { defineOptions } from '../../../kit/options.ts'
import type { Profile, ProviderOptions, ProviderTokens } from '../provider.ts'

/** A provider that only the configuration knows: any server of OAuth 2.0 or OpenID Connect. */
export interface CustomProviderOptions extends Omit<ProviderOptions, 'scope' | 'disableDefaultScope' | 'responseMode'> {
  /** Part of its callback, `/oauth2/callback/<providerId>`, and of every account that it is linked to. */
  providerId: string
  /** What people read; the providerId by default. */
  name?: string
  /** `.../.well-known/openid-configuration`: tells every URL below, as far as they are not given. */
  discoveryUrl?: string
  /** Headers of the request for the discovery document. */
  discoveryHeaders?: Record<string, string>
  authorizationUrl?: string
  tokenUrl?: string
  userInfoUrl?: string
  /** With the key set, id tokens are verified; without, they are not read. */
  issuer?: string
  jwksUrl?: string
  scopes?: string[]
  /** PKCE with S256; on unless it is false. */
  pkce?: boolean
  /** How the token request names the client. Default: `post`, or `none` without a secret. */
  authentication?: 'basic' | 'post'
  responseMode?: 'query'
  /** `offline` asks some servers for a refresh token. */
  accessType?: string
  authorizationUrlParams?: Record<string, string>
  tokenUrlParams?: Record<string, string>
  overrideUserInfo?: boolean
  /** Reads the person in another way than from the id token or userInfoUrl. */
  getUserInfo?: (tokens: ProviderTokens) => Promise<Profile | null>
}

export const customProviderOptions = defineOptions('genericOAuth', [] as CustomProviderOptions[])
