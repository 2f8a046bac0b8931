import type { Scope } from '../../../identity/scope.ts'
import { passFault } from '../../../kit/errors.ts'
import { reasonOf } from '../../../platform/log.ts'
import { type ConfiguredProvider, providerContextOf } from './configured-provider.ts'
import { IdTokenError, verifyIdToken } from './id-token.ts'
import { fetchProfile, type KnownPerson, readPerson } from './profile.ts'
import type { Profile, ProviderTokens } from './provider.ts'
import { socialErrors as errors } from './social.errors.ts'

/** An id token that an app received from the provider, with the tokens that came with it. */
export interface GivenIdToken {
  token: string
  nonce?: string | undefined
  accessToken?: string | undefined
  refreshToken?: string | undefined
  /** The expiry of the access token; Unix time in milliseconds or in seconds. */
  expiresAt?: number | undefined
}

/** Verifies an id token that the app received from the provider, and reads the user. */
export async function readGivenIdToken(
  scope: Scope,
  configured: ConfiguredProvider,
  { token, nonce, accessToken, refreshToken, expiresAt }: GivenIdToken,
): Promise<{ tokens: ProviderTokens; person: KnownPerson }> {
  const { provider, options } = configured
  const rules = provider.idToken
  if (!rules || rules.signIn === false || options.disableIdTokenSignIn) throw errors.ID_TOKEN_NOT_SUPPORTED()
  const context = providerContextOf(scope, configured)
  const isJwt = token.split('.').length === 3
  let claims: Profile | null = null
  try {
    if (isJwt || !rules.acceptOpaque)
      claims = await verifyIdToken(scope, rules, options, token, { nonce, sender: 'caller' })
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
    // The id token identifies the user, even if the profile comes from the access token.
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
  context: ReturnType<typeof providerContextOf>,
): Promise<KnownPerson | null> {
  const profile = await fetchProfile(configured, tokens, context)
  return profile && readPerson(configured, profile, context)
}
