import type { Scope } from '../../identity/scope.ts'
import type { SignInResult } from '../../identity/sign-in.ts'
import { type AppErrorKind, passFault } from '../../kit/errors.ts'
import { reasonOf } from '../../platform/log.ts'
import { type ConfiguredProvider, contextOf, isTrusted } from './configured.ts'
import { IdTokenError, verifyIdToken } from './id-token.ts'
import { type Refusal, signInByIdentity } from './match-person.ts'
import { fetchProfile, type KnownPerson, readPerson } from './profile.ts'
import type { Profile, ProviderTokens } from './provider.ts'
import { socialErrors as errors } from './social.errors.ts'

/** An id token that an app has got from the provider by itself, with what came along. */
export interface BroughtIdToken {
  token: string
  nonce?: string | undefined
  accessToken?: string | undefined
  refreshToken?: string | undefined
  /** Of the access token; Unix time in milliseconds, or in seconds. */
  expiresAt?: number | undefined
}

export const refusals: Record<Refusal, AppErrorKind> = {
  email_not_found: errors.USER_EMAIL_NOT_FOUND,
  account_not_linked: errors.ACCOUNT_NOT_LINKED,
  signup_disabled: errors.SIGNUP_DISABLED,
  unable_to_link_account: errors.UNABLE_TO_LINK_ACCOUNT,
  unable_to_create_user: errors.UNABLE_TO_CREATE_USER,
}

/**
 * Signs in by an id token.
 * @throws ID_TOKEN_NOT_SUPPORTED, INVALID_TOKEN, FAILED_TO_GET_USER_INFO, USER_EMAIL_NOT_FOUND, ACCOUNT_NOT_LINKED,
 *   SIGNUP_DISABLED, UNABLE_TO_LINK_ACCOUNT, UNABLE_TO_CREATE_USER, and what completeSignIn says
 */
export async function signInByIdToken(
  scope: Scope,
  configured: ConfiguredProvider,
  brought: BroughtIdToken,
  requestSignUp: boolean,
): Promise<SignInResult> {
  const { provider, options } = configured
  const { tokens, person } = await readBroughtToken(scope, configured, brought)
  const signIn = await signInByIdentity(
    scope,
    {
      providerId: provider.id,
      person,
      tokens,
      trusted: isTrusted(scope, configured),
    },
    {
      mayCreate: !options.disableSignUp && (!options.disableImplicitSignUp || requestSignUp),
      overrideUserInfo: options.overrideUserInfoOnSignIn,
    },
  )
  if (signIn.kind === 'refused') throw refusals[signIn.reason]()
  return signIn.result
}

/** Verifies what was brought, and reads the person from it. @throws as above, up to FAILED_TO_GET_USER_INFO */
export async function readBroughtToken(
  scope: Scope,
  configured: ConfiguredProvider,
  { token, nonce, accessToken, refreshToken, expiresAt }: BroughtIdToken,
): Promise<{ tokens: ProviderTokens; person: KnownPerson }> {
  const { provider, options } = configured
  const rules = provider.idToken
  if (!rules || rules.signIn === false || options.disableIdTokenSignIn) throw errors.ID_TOKEN_NOT_SUPPORTED()
  const context = contextOf(scope, configured)
  const isJwt = token.split('.').length === 3
  let claims: Profile | null = null
  try {
    if (isJwt || !rules.acceptOpaque) claims = await verifyIdToken(scope, rules, options, token, nonce)
    else if (!(await rules.acceptOpaque(token, context))) throw new IdTokenError('not issued to this application')
  } catch (thrown) {
    passFault(thrown)
    throw errors.INVALID_TOKEN({ detail: reasonOf(thrown) })
  }
  const tokens: ProviderTokens = {
    accessToken: claims ? (accessToken ?? null) : token,
    refreshToken: refreshToken ?? null,
    idToken: claims ? token : null,
    claims,
    tokenType: 'bearer',
    accessTokenExpiresAt: expiresAt === undefined ? null : new Date(expiresAt < 1e11 ? expiresAt * 1000 : expiresAt),
    refreshTokenExpiresAt: null,
    scopes: [],
    raw: {},
  }
  try {
    const person =
      claims && provider.toUserFromClaims
        ? await readPerson(configured, claims, context, provider.toUserFromClaims)
        : await readFetched(configured, tokens, context)
    // Whatever else was brought along, the id token says who it is.
    if (person && (!claims || person.id === claims.sub)) return { tokens, person }
  } catch (thrown) {
    passFault(thrown)
    throw errors.FAILED_TO_GET_USER_INFO({ detail: reasonOf(thrown) })
  }
  throw errors.FAILED_TO_GET_USER_INFO()
}

async function readFetched(
  configured: ConfiguredProvider,
  tokens: ProviderTokens,
  context: ReturnType<typeof contextOf>,
): Promise<KnownPerson | null> {
  const profile = await fetchProfile(configured, tokens, context)
  return profile && readPerson(configured, profile, context)
}
