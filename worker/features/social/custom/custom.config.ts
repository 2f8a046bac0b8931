import * as z from 'zod'
import { callable, parts } from '../../../kit/option-schema.ts'
import { defineOptions } from '../../../kit/options.ts'
import { type Profile, type ProviderOptions, type ProviderTokens, providerOptionsShape } from '../provider.ts'

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

const {
  scope: _scope,
  disableDefaultScope: _disableDefaultScope,
  responseMode: _responseMode,
  ...common
} = providerOptionsShape

const customProvider = parts({
  ...common,
  name: z.string(),
  discoveryUrl: z.string(),
  discoveryHeaders: z.record(z.string(), z.string()),
  authorizationUrl: z.string(),
  tokenUrl: z.string(),
  userInfoUrl: z.string(),
  issuer: z.string(),
  jwksUrl: z.string(),
  scopes: z.array(z.string()),
  pkce: z.boolean(),
  authentication: z.enum(['basic', 'post']),
  responseMode: z.literal('query'),
  accessType: z.string(),
  authorizationUrlParams: z.record(z.string(), z.string()),
  tokenUrlParams: z.record(z.string(), z.string()),
  overrideUserInfo: z.boolean(),
  getUserInfo: callable(),
} satisfies Record<Exclude<keyof CustomProviderOptions, 'providerId'>, z.ZodType>).extend({
  providerId: z.string().min(1),
})

export const customProviderOptions = defineOptions(
  'genericOAuth',
  [] as CustomProviderOptions[],
  undefined,
  z.array(customProvider),
)
