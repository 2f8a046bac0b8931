import * as z from 'zod'
import { callable, parts } from '../../../kit/options.ts'
import type { Outside } from '../../../platform/outside.ts'

/**
 * A provider is mostly data. The engine (authorization.ts, exchange.ts, id-token.ts, profile.ts) implements RFC 6749, RFC 7636
 * and OpenID Connect; a provider has functions only where it departs from them.
 */

/** Options of every provider, under `socialProviders.<id>` of the configuration. */
export const providerOptionsShape = () => ({
  /** @default the variable `<ID>_CLIENT_ID`. A provider without a client id is not configured. */
  clientId: z.string(),
  /** @default the secret `<ID>_CLIENT_SECRET`, which is recommended. */
  clientSecret: z.string(),
  /** false disables a configured provider. */
  enabled: z.boolean(),
  /** Scopes in addition to the provider's default scopes. */
  scope: z.array(z.string()),
  /** Omits the default scopes. */
  disableDefaultScope: z.boolean(),
  /** Replaces `<base URL>/api/auth/callback/<id>`; requests to it must reach that URL. */
  redirectURI: z.string(),
  /** Sign-ins create no users. */
  disableSignUp: z.boolean(),
  /** Sign-ins create users only if the request has `requestSignUp: true`. */
  disableImplicitSignUp: z.boolean(),
  /** Rejects sign-ins with an id token that an app received from the provider. */
  disableIdTokenSignIn: z.boolean(),
  /** The parameter `prompt` of the authorization request, such as `select_account`. */
  prompt: z.string(),
  /** The parameter `response_mode` of the authorization request. @default the one of the provider */
  responseMode: z.enum(['query', 'form_post']),
  /** Every sign-in replaces the name and image by those of the provider. */
  overrideUserInfoOnSignIn: z.boolean(),
  /** Replaces fields that were read from the profile. */
  mapProfileToUser: callable<(profile: Profile) => Partial<ProviderUser> | Promise<Partial<ProviderUser>>>(),
})

const providerOptions = () => parts(providerOptionsShape())

export type ProviderOptions = z.infer<ReturnType<typeof providerOptions>>

/** The JSON of a provider about a user, not validated. */
export type Profile = Record<string, unknown>

/** A user in the words of a provider. The engine validates the values. */
export interface ProviderUser {
  /** The subject: stable and unique at the provider. The sign-in fails without it. Numbers become strings. */
  id: unknown
  name: unknown
  /** Without it: `email_not_found`. */
  email: unknown
  image: unknown
  /** Verified for `true` and the string "true"; not verified for all other values. */
  emailVerified: unknown
  /** More fields that account-info returns, under the provider's names. */
  extra?: Profile
}

export interface ProviderTokens {
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  /** Claims of a verified id token. */
  claims: Profile | null
  tokenType: string
  accessTokenExpiresAt: Date | null
  refreshTokenExpiresAt: Date | null
  /** The granted scopes; the requested ones where the provider does not return them. */
  scopes: string[]
  /** The callback parameters named by `refresh.keep`. */
  kept?: Readonly<Record<string, string>> | undefined
  /** The response of the token endpoint, for fields of one provider. */
  raw: Profile
}

/** The argument of a provider's functions. */
export interface ProviderContext<O extends ProviderOptions = ProviderOptions> {
  /** With clientId and clientSecret resolved. */
  options: O & { clientId: string; clientSecret: string }
  /** fetch with a timeout of 5 s. For JSON use getJson. */
  outside: Outside
  now: Date
  /** The parameters of the callback; empty for account-info and given id tokens; for a refresh `refresh.keep`. */
  callback: Readonly<Record<string, string>>
  redirectUri: string
}

/** A URL, or a function of the provider's options (tenant, self-hosted server). */
export type Address<O> = string | ((options: O) => string)

/** Validation of id tokens (OpenID Connect Core, section 3.1.3.7). Only asymmetric algorithms are accepted. */
export interface IdTokenRules<O extends ProviderOptions> {
  /** Accepted issuers; a function where the issuer contains a claim, such as Microsoft's tenant. */
  issuer: string | string[] | ((options: O, claims: Profile) => string | string[])
  jwks: Address<O>
  /** Default: the client id. */
  audience?: (options: O & { clientId: string }) => string | string[]
  /** Maximum age in seconds since `iat`. Default: an hour. */
  maxAge?: number
  /** Default: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA. */
  algorithms?: string[]
  /** false: the provider does not copy the nonce of the authorization request to the token. Default true. */
  echoesNonce?: boolean
  /** false: id tokens are accepted in the code flow only, not for a sign-in by id token. Default true. */
  signIn?: boolean
  /**
   * Validates an opaque token in place of an id token (Facebook's access token): the provider says whether it was
   * issued to this application. Then it is used as the access token.
   */
  acceptOpaque?: (token: string, context: ProviderContext<O>) => Promise<boolean>
}

export interface Provider<O extends ProviderOptions = ProviderOptions> {
  id: string
  /** The name that users see. */
  name: string
  /** The provider returns no email address: the screens ask for one, or announce it before the redirect. */
  withoutEmail?: true

  /** @internal Schemas of the options that only this provider has. */
  options?: { readonly [K in Exclude<keyof O, keyof ProviderOptions>]-?: z.ZodType }

  /** Endpoints. The query may contain constant parameters. */
  authorization: Address<O>
  token: Address<O>
  /** Requested with GET and the access token as a bearer token, unless `fetchProfile` replaces it. */
  userInfo?: Address<O>
  /** When set, an `iss` in the callback must be equal (RFC 9207). */
  issuer?: Address<O>
  /** The provider always sends `iss`: a callback without it is rejected. */
  sendsIssuer?: boolean

  scopes: string[]
  /** The separator in the authorization request. Default: a space. */
  scopeSeparator?: string
  /** PKCE with S256, for each provider that documents it. */
  pkce: boolean | ((options: O) => boolean)
  /** Reads the client id from an option with another name (TikTok's `clientKey`). */
  clientId?: (options: O) => string | undefined
  /**
   * The client authentication of the token request: an Authorization header, fields of the body, or the id alone. A provider
   * whose clients sign their secret (Apple) also has `clientSecret`.
   */
  clientAuthentication: 'basic' | 'post' | 'none'
  clientSecret?: (context: ProviderContext<O>) => Promise<string>
  /** A signed assertion in place of the secret (`private_key_jwt`, RFC 7523, section 2.2). */
  clientAssertion?: (context: ProviderContext<O>) => Promise<string>
  /** Renamed parameters of both requests: `{ client_id: 'client_key' }`. */
  parameterNames?: Partial<Record<string, string>>

  /** Default `code`. */
  responseType?: string
  /** `form_post`: the provider calls the callback with a POST from its origin. Default: not sent. */
  responseMode?: 'query' | 'form_post'
  /** The parameter for the caller's loginHint; without it, loginHint is not sent. */
  loginHint?: string
  /** The default of `options.prompt`. */
  prompt?: string
  /** The `prompt` of a step-up where the provider does not support `login`. */
  reauthenticationPrompt?: string
  /** More parameters of the authorization request; undefined ones are omitted. The engine sends `options.prompt`. */
  authorizationParameters?: (options: O) => Record<string, string | undefined>

  /** More parameters of the token request of the code flow, for example from the callback. */
  tokenParameters?: (context: ProviderContext<O>) => Record<string, string | undefined>
  /** More headers of every token request. (All requests have a User-Agent.) */
  tokenHeaders?: Record<string, string>
  /**
   * Converts a token response with fields of its own, or an error with status 200 in a field of its own (return
   * `{ error }`). Common deviations are converted before.
   */
  readTokenResponse?: (answer: Profile) => Profile
  /** Default: the standard refresh grant at the token endpoint. false: access tokens cannot be refreshed. */
  refresh?:
    | false
    | {
        parameters?: (context: ProviderContext<O>) => Record<string, string | undefined>
        /** Callback parameters that a refresh requires (VK's device id). They are sealed with the refresh token. */
        keep?: string[]
      }

  /** For providers of OpenID Connect. */
  idToken?: IdTokenRules<O>

  /**
   * Reads the user's profile. Default: `userInfo` where it is set, otherwise the claims of the verified id token.
   * @returns null when the provider does not identify the user
   * @throws any error: it becomes `unable_to_get_user_info`
   */
  fetchProfile?: (tokens: ProviderTokens, context: ProviderContext<O>) => Promise<Profile | null>
  /** Pure. */
  toUser: (profile: Profile, context: ProviderContext<O>) => ProviderUser
  /** For an id token that an app received. Default: `fetchProfile` and `toUser` as in the code flow. */
  toUserFromClaims?: (claims: Profile) => ProviderUser
}

/** Declares a provider with its option types. */
export const defineProvider = <O extends ProviderOptions = ProviderOptions>(provider: Provider<O>): Provider<O> =>
  provider
