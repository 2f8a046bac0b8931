import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { passFault } from '../../kit/errors.ts'
import { reasonOf } from '../../platform/log.ts'
import { type CustomProviderOptions, customProviderOptions } from './custom-providers.config.ts'
import { type ConfiguredProvider, withCredentials } from './model/configured-provider.ts'
import { type Discovered, discover } from './model/discovery.ts'
import { getObject, ProviderResponseError } from './model/fetch-json.ts'
import type { Provider, ProviderOptions } from './model/provider.ts'
import { findProvider } from './providers/providers.ts'
import { socialProviderOptions } from './social-providers.config.ts'

/** The options of a provider of `genericOAuth`; null for an unknown or disabled one. */
export function findCustomOptions(scope: Scope, id: string): CustomProviderOptions | null {
  return (
    customProviderOptions.of(scope).find(({ providerId, enabled }) => providerId === id && enabled !== false) ?? null
  )
}

/** Two providers must not share an id: a user of one could sign in as a user of the other. */
function isTaken(scope: Scope, id: string): boolean {
  if (id === 'credential') return true
  const chosen = (socialProviderOptions.of(scope) as Record<string, ProviderOptions | undefined>)[id]
  return findProvider(id) !== null && withCredentials(scope, id, chosen ?? {}) !== null
}

/** The providers of `genericOAuth` that have a client id and a unique id. */
export const offeredCustomOptions = (scope: Scope): CustomProviderOptions[] =>
  customProviderOptions
    .of(scope)
    .filter((chosen) => withCredentials(scope, chosen.providerId, chosen) && !isTaken(scope, chosen.providerId))

/** Outside of development, secrets are sent over TLS only. */
function isUsable(scope: Scope, url: string | undefined): url is string {
  if (!url || !URL.canParse(url)) return false
  return new URL(url).protocol === 'https:' || scope.settings.environment === 'development'
}

/**
 * A provider of `genericOAuth`, completed by its discovery document; null for an unknown id or a wrong configuration.
 * @throws Fault when the document is unavailable
 */
export async function customProvider(scope: Scope, id: string): Promise<ConfiguredProvider | null> {
  const chosen = findCustomOptions(scope, id)
  const credentials = chosen && withCredentials(scope, id, chosen)
  if (!credentials || isTaken(scope, id)) return null
  let known: Partial<Discovered> & CustomProviderOptions = chosen
  if (chosen.discoveryUrl) {
    if (!isUsable(scope, chosen.discoveryUrl)) return null
    try {
      const found = await discover(scope, chosen.discoveryUrl, chosen.discoveryHeaders, chosen.issuer)
      known = { ...found, ...chosen }
    } catch (thrown) {
      passFault(thrown)
      scope.log('warn', 'discovery-failed', { provider: id, reason: reasonOf(thrown) })
      return null
    }
  }
  const { authorizationUrl, tokenUrl, userInfoUrl, jwksUrl } = known
  if (!isUsable(scope, authorizationUrl) || !isUsable(scope, tokenUrl)) return null
  if ([userInfoUrl, jwksUrl].some((url) => url !== undefined && !isUsable(scope, url))) return null

  const callbackPath = `/oauth2/callback/${encodeURIComponent(id)}`
  const { scopes, overrideUserInfo, ...options } = credentials
  return {
    provider: providerOf(known, authorizationUrl, tokenUrl, credentials.clientSecret !== ''),
    options: {
      ...options,
      ...(overrideUserInfo ? { overrideUserInfoOnSignIn: true } : {}),
    },
    callbackPath,
    redirectUri: chosen.redirectURI ?? `${scope.settings.baseUrl}${basePath}${callbackPath}`,
  }
}

function providerOf(
  known: Partial<Discovered> & CustomProviderOptions,
  authorization: string,
  token: string,
  hasSecret: boolean,
): Provider {
  const { providerId, userInfoUrl, issuer, jwksUrl, getUserInfo } = known
  return {
    id: providerId,
    name: known.name ?? providerId,
    authorization,
    token,
    ...(issuer === undefined ? {} : { issuer }),
    ...(userInfoUrl === undefined ? {} : { userInfo: userInfoUrl }),
    sendsIssuer: known.sendsIssuer ?? false,
    scopes: known.scopes ?? [],
    pkce: known.pkce !== false,
    clientAuthentication: hasSecret ? (known.authentication ?? 'post') : 'none',
    loginHint: 'login_hint',
    authorizationParameters: () => ({ access_type: known.accessType, ...known.authorizationUrlParams }),
    ...(known.tokenUrlParams ? { tokenParameters: () => known.tokenUrlParams! } : {}),
    ...(issuer !== undefined && jwksUrl !== undefined ? { idToken: { issuer, jwks: jwksUrl } } : {}),
    fetchProfile: async (tokens, context) => {
      if (getUserInfo) return getUserInfo(tokens)
      const { claims } = tokens
      if (claims && (claims.email !== undefined || userInfoUrl === undefined)) return claims
      if (userInfoUrl === undefined) return null
      const profile = await getObject(context, userInfoUrl, { accessToken: tokens.accessToken })
      // OpenID Connect Core, section 5.3.2.
      if (claims && String(profile.sub) !== String(claims.sub))
        throw new ProviderResponseError('the profile has another subject')
      return { ...claims, ...profile }
    },
    toUser: (profile) => ({
      id: profile.sub ?? profile.id,
      name: profile.name ?? profile.preferred_username,
      email: profile.email,
      image: profile.picture,
      emailVerified: profile.email_verified,
    }),
  }
}
