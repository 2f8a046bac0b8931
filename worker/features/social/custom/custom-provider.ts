import type { Scope } from '../../../identity/scope.ts'
import { basePath } from '../../../identity/settings.ts'
import { passFault } from '../../../kit/errors.ts'
import { reasonOf } from '../../../platform/log.ts'
import { type ConfiguredProvider, withCredentials } from '../configured.ts'
import { getObject, ProviderAnswerError } from '../fetch-json.ts'
import type { Provider, ProviderOptions } from '../provider.ts'
import { findProvider } from '../providers.ts'
import { socialProviderOptions } from '../social.config.ts'
import { type CustomProviderOptions, customProviderOptions } from './custom.config.ts'
import { type Discovered, discover } from './discovery.ts'

/** What the configuration says of a provider of its own; null when there is none of that id. */
export function findCustomOptions(scope: Scope, id: string): CustomProviderOptions | null {
  return (
    customProviderOptions.of(scope).find(({ providerId, enabled }) => providerId === id && enabled !== false) ?? null
  )
}

/** An id must not stand for two providers: whoever is somebody at one of them would be that person at the other. */
function isTaken(scope: Scope, id: string): boolean {
  if (id === 'credential') return true
  const chosen = (socialProviderOptions.of(scope) as Record<string, ProviderOptions | undefined>)[id]
  return findProvider(id) !== null && withCredentials(scope, id, chosen ?? {}) !== null
}

/** The providers of the configuration that can be offered: they have a client id, and their id is theirs alone. */
export const offeredCustomOptions = (scope: Scope): CustomProviderOptions[] =>
  customProviderOptions
    .of(scope)
    .filter((chosen) => withCredentials(scope, chosen.providerId, chosen) && !isTaken(scope, chosen.providerId))

/** Outside of development everything secret travels over TLS. */
function isUsable(scope: Scope, url: string | undefined): url is string {
  if (!url || !URL.canParse(url)) return false
  return new URL(url).protocol === 'https:' || scope.settings.environment === 'development'
}

/**
 * A provider of the configuration, with what its discovery document adds.
 * @returns null when there is none of that id, or what is known of it does not suffice
 * @throws Fault when its discovery document cannot be had
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
      if (claims && profile.sub !== claims.sub) throw new ProviderAnswerError('the profile is of another person')
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
