import * as z from 'zod'
import { callable } from '../../kit/option-schema.ts'
import type { Outside } from '../../platform/outside.ts'

/**
 * What a provider is. Mostly data: the engine (authorization.ts, exchange.ts, id-token.ts, profile.ts) does the work
 * that RFC 6749, RFC 7636 and OpenID Connect describe, and a hook stands only where a provider departs from them.
 */

/** What worker/config.ts may say of any provider, under `socialProviders.<id>`. */
export interface ProviderOptions {
  /** Falls back to the variable `<ID>_CLIENT_ID`. A provider without one is not configured. */
  clientId?: string
  /** Falls back to the secret `<ID>_CLIENT_SECRET`, which is where it belongs. */
  clientSecret?: string
  /** false keeps a configured provider off. */
  enabled?: boolean
  /** Scopes besides the provider's default ones. */
  scope?: string[]
  /** Leaves the default scopes out. */
  disableDefaultScope?: boolean
  /** Another callback than `<base URL>/api/auth/callback/<id>`; it has to lead there in the end. */
  redirectURI?: string
  /** Nobody gets a new account this way. */
  disableSignUp?: boolean
  /** A new account only when the sign-in was started with `requestSignUp`. */
  disableImplicitSignUp?: boolean
  /** No sign-in with an id token that the app brings along. */
  disableIdTokenSignIn?: boolean
  prompt?: string
  responseMode?: 'query' | 'form_post'
  /** Name and image follow the provider at every sign-in. */
  overrideUserInfoOnSignIn?: boolean
  /** Amends what the profile was read as. */
  mapProfileToUser?: (profile: Profile) => Partial<ProviderUser> | Promise<Partial<ProviderUser>>
}

export const providerOptionsShape = {
  clientId: z.string(),
  clientSecret: z.string(),
  enabled: z.boolean(),
  scope: z.array(z.string()),
  disableDefaultScope: z.boolean(),
  redirectURI: z.string(),
  disableSignUp: z.boolean(),
  disableImplicitSignUp: z.boolean(),
  disableIdTokenSignIn: z.boolean(),
  prompt: z.string(),
  responseMode: z.enum(['query', 'form_post']),
  overrideUserInfoOnSignIn: z.boolean(),
  mapProfileToUser: callable<NonNullable<ProviderOptions['mapProfileToUser']>>(),
} satisfies Record<keyof ProviderOptions, z.ZodType>

/** A provider's own JSON about a person, as it sent it: nothing in it may be taken for granted. */
export type Profile = Record<string, unknown>

/** A person as a provider knows them. The engine judges the values: hand on what the provider said. */
export interface ProviderUser {
  /** The subject: stable, and unique at the provider. Missing: the sign-in fails. Numbers become text. */
  id: unknown
  name: unknown
  /** Missing: `email_not_found`. */
  email: unknown
  image: unknown
  /** True only for the boolean true or the text "true". */
  emailVerified: unknown
  /** What account-info shows of the person besides, under the provider's own names. */
  extra?: Profile
}

/** Tokens as the engine understood them. */
export interface ProviderTokens {
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  /** Claims of the id token; only when its signature and claims were verified. */
  claims: Profile | null
  tokenType: string
  accessTokenExpiresAt: Date | null
  refreshTokenExpiresAt: Date | null
  /** The granted scopes; what was asked for, where the provider does not say. */
  scopes: string[]
  /** Of the callback, what `refresh.keep` names. */
  kept?: Readonly<Record<string, string>> | undefined
  /** The token endpoint's whole answer, for what only this provider sends. */
  raw: Profile
}

/** What a hook may use. */
export interface ProviderContext<O extends ProviderOptions = ProviderOptions> {
  /** With clientId and clientSecret resolved. */
  options: O & { clientId: string; clientSecret: string }
  /** fetch with a time-out of 5 s, counted. For JSON use getJson in fetch-json.ts. */
  outside: Outside
  now: Date
  /**
   * What the provider sent to the callback; empty for account-info and id tokens brought along. When refreshing, what
   * `refresh.keep` names.
   */
  callback: Readonly<Record<string, string>>
  redirectUri: string
}

/** An address, or a function of the provider's options (a tenant, an own server). */
export type Address<O> = string | ((options: O) => string)

/** How id tokens are checked (OpenID Connect Core, section 3.1.3.7). Only asymmetric algorithms ever pass. */
export interface IdTokenRules<O extends ProviderOptions> {
  /** Accepted issuers; a function where the issuer holds something of the token, such as Microsoft's tenant. */
  issuer: string | string[] | ((options: O, claims: Profile) => string | string[])
  jwks: Address<O>
  /** Default: the client id. */
  audience?: (options: O & { clientId: string }) => string | string[]
  /** The most seconds since `iat`. Default: an hour. */
  maxAge?: number
  /** Default: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA. */
  algorithms?: string[]
  /** false: the provider does not put the nonce of the authorization request into the token. Default true. */
  echoesNonce?: boolean
  /** false: an id token is read in the code flow only, never as a sign-in of its own. Default true. */
  signIn?: boolean
  /**
   * Takes a token that is not a JWT, brought along in an id token's place (Facebook's access token). It must ask the
   * provider whether the token was issued to this very application.
   * @returns whether it was; the profile is then fetched with it as the access token
   */
  acceptOpaque?: (token: string, context: ProviderContext<O>) => Promise<boolean>
}

export interface Provider<O extends ProviderOptions = ProviderOptions> {
  id: string
  /** The name that people read. */
  name: string
  /** Tells nobody's address: people are asked for one, or told so before they go there. */
  withoutEmail?: true

  /** @internal Schemas of the options that only this provider has. */
  options?: { readonly [K in Exclude<keyof O, keyof ProviderOptions>]-?: z.ZodType }

  /** Endpoints. Parameters that never change may stand in the query already. */
  authorization: Address<O>
  token: Address<O>
  /** Asked with the access token as a bearer token (GET), unless `fetchProfile` does it otherwise. */
  userInfo?: Address<O>
  /** The issuer; when set, an `iss` in the callback must be the same (RFC 9207). */
  issuer?: Address<O>
  /** The provider says that it always sends `iss`, so a callback without one is refused. */
  sendsIssuer?: boolean

  scopes: string[]
  /** Between scopes in the authorization request; default a space. */
  scopeSeparator?: string
  /** PKCE with S256; set it wherever the provider documents it. */
  pkce: boolean | ((options: O) => boolean)
  /** Where the client id stands among the options, when it has another name there (TikTok's `clientKey`). */
  clientId?: (options: O) => string | undefined
  /**
   * How the token request names the client: an Authorization header, fields of the body, or the id alone. A provider
   * whose client secret is made rather than given (Apple) has `clientSecret` besides.
   */
  clientAuthentication: 'basic' | 'post' | 'none'
  clientSecret?: (context: ProviderContext<O>) => Promise<string>
  /** Parameters that have another name here, in both requests: `{ client_id: 'client_key' }`. */
  parameterNames?: Partial<Record<string, string>>

  /** Default `code`. */
  responseType?: string
  /** `form_post`: the provider answers the callback with a POST from its own origin. Default: not said. */
  responseMode?: 'query' | 'form_post'
  /** The name of the parameter that carries the caller's loginHint; without one it is not sent. */
  loginHint?: string
  /** Sent as `prompt` unless `options.prompt` says otherwise. */
  prompt?: string
  /** More parameters of the authorization request; undefined ones are left out. `options.prompt` is sent by the engine. */
  authorizationParameters?: (options: O) => Record<string, string | undefined>

  /** More parameters of the token request that ends the code flow, such as something of the callback. */
  tokenParameters?: (context: ProviderContext<O>) => Record<string, string | undefined>
  /** More headers of every token request. (All requests carry a User-Agent.) */
  tokenHeaders?: Record<string, string>
  /**
   * Puts a token answer that departs from RFC 6749, section 5.1, into its form: `scope` as a list, a nested `data`,
   * an error that comes with status 200 (give `{ error }` for that).
   */
  readTokenAnswer?: (answer: Profile) => Profile
  /** Default: the standard refresh grant at the token endpoint. false: access tokens of this provider cannot be refreshed. */
  refresh?:
    | false
    | {
        parameters?: (context: ProviderContext<O>) => Record<string, string | undefined>
        /** Parameters of the callback without which it does not refresh (VK's device id): sealed with the refresh token. */
        keep?: string[]
      }

  /** Present for providers of OpenID Connect. */
  idToken?: IdTokenRules<O>

  /**
   * Reads the person's profile. Default: `userInfo` where there is one, else the claims of the verified id token.
   * @returns null when the provider did not say who the person is
   * @throws anything: it ends in `unable_to_get_user_info`
   */
  fetchProfile?: (tokens: ProviderTokens, context: ProviderContext<O>) => Promise<Profile | null>
  /** Profile -> person. Pure. */
  toUser: (profile: Profile, context: ProviderContext<O>) => ProviderUser
  /** Claims of an id token that was brought along -> person; default: `fetchProfile` and `toUser` as in the code flow. */
  toUserFromClaims?: (claims: Profile) => ProviderUser
}

/** Declares a provider. */
export const defineProvider = <O extends ProviderOptions = ProviderOptions>(provider: Provider<O>): Provider<O> =>
  provider
