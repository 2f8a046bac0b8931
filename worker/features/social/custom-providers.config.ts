import * as z from 'zod'
import { callable, defineOptions, parts } from '../../kit/options.ts'
import { type Profile, type ProviderTokens, providerOptionsShape } from './model/provider.ts'

/** A provider from the configuration: any server of OAuth 2.0 or OpenID Connect. */
const customProvider = () => {
  const {
    scope: _scope,
    disableDefaultScope: _disableDefaultScope,
    responseMode: _responseMode,
    ...common
  } = providerOptionsShape()
  return parts({
    ...common,
    /** The name for users. @default the providerId */
    name: z.string(),
    /** `.../.well-known/openid-configuration`: has the URLs below that are omitted. */
    discoveryUrl: z.string(),
    /** Headers of the request for the discovery document. */
    discoveryHeaders: z.record(z.string(), z.string()),
    /** The authorization endpoint. */
    authorizationUrl: z.string(),
    /** The token endpoint. */
    tokenUrl: z.string(),
    /** The userinfo endpoint, which returns the profile for an access token. */
    userInfoUrl: z.string(),
    /** With the key set, id tokens are verified; without it, they are not read. */
    issuer: z.string(),
    /** The key set of the server. */
    jwksUrl: z.string(),
    /** The scopes of the authorization request. */
    scopes: z.array(z.string()),
    /** PKCE with S256. @default true */
    pkce: z.boolean(),
    /** How the token request authenticates the client. @default `post`, or `none` without a secret */
    authentication: z.enum(['basic', 'post']),
    /** The parameter `response_mode` of the authorization request. */
    responseMode: z.literal('query'),
    /** `offline` asks some servers for a refresh token. */
    accessType: z.string(),
    /** Additional parameters of the authorization request. */
    authorizationUrlParams: z.record(z.string(), z.string()),
    /** Additional parameters of the token request. */
    tokenUrlParams: z.record(z.string(), z.string()),
    /** Whether every sign-in replaces name and image by those of the provider. @default false */
    overrideUserInfo: z.boolean(),
    /** Reads the user from a source other than the id token or userInfoUrl. */
    getUserInfo: callable<(tokens: ProviderTokens) => Promise<Profile | null>>(),
  }).extend({
    /** Part of its callback, `/oauth2/callback/<providerId>`, and of each account that is linked to it. */
    providerId: z.string().min(1),
  })
}

export type CustomProviderOptions = z.infer<ReturnType<typeof customProvider>>

export const customProviderOptions = defineOptions('genericOAuth', () => z.array(customProvider()).default([]))
