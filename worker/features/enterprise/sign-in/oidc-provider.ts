import { importJWK, SignJWT } from 'jose'
import type { Scope } from '../../../identity/scope.ts'
import { isClientAddress } from '../../../kit/public-address.ts'
import { newId } from '../../../kit/random.ts'
import { minutes } from '../../../kit/time.ts'
import type { ConfiguredProvider } from '../../social/model/configured-provider.ts'
import { discover } from '../../social/model/discovery.ts'
import { getObject, ProviderResponseError } from '../../social/model/fetch-json.ts'
import type { Profile, Provider, ProviderContext, ProviderTokens } from '../../social/model/provider.ts'
import { callbackPathOf, connectionSecretOf, urlOf } from '../connections/present-connection.ts'
import type { OidcConfig } from '../model/connection-config.ts'
import { type Connection, providerOf } from '../model/connections.table.ts'
import { claimOf, textsOf } from './claims.ts'

/**
 * An OpenID connection for the client engine. Each address of the discovery document must be a public one, since a
 * customer chooses them. @throws ProviderResponseError for an invalid document; Fault when it is unavailable
 */
export async function oidcProviderOf(scope: Scope, connection: Connection): Promise<ConfiguredProvider> {
  const config = connection.config as OidcConfig
  const url = `${config.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = await discover(scope, url, undefined, config.issuer)
  const { authorizationUrl, tokenUrl, userInfoUrl, jwksUrl } = found
  const isUsable = (address: string | undefined) => address !== undefined && isClientAddress(address, scope.settings)
  if (!isUsable(authorizationUrl) || !isUsable(tokenUrl) || !isUsable(jwksUrl)) {
    throw new ProviderResponseError('the discovery document lacks a public endpoint')
  }
  if (userInfoUrl !== undefined && !isUsable(userInfoUrl)) {
    throw new ProviderResponseError('the userinfo endpoint is not public')
  }
  const secret = (await connectionSecretOf(scope, connection)) ?? ''
  const callbackPath = callbackPathOf(connection)
  const usesKey = config.authentication === 'private-key-jwt'
  const provider: Provider = {
    id: providerOf(connection),
    name: connection.name,
    authorization: authorizationUrl!,
    token: tokenUrl!,
    issuer: found.issuer,
    sendsIssuer: found.sendsIssuer,
    scopes: ['openid', 'email', 'profile', ...config.scopes],
    pkce: true,
    clientAuthentication: config.authentication === 'client-secret-post' ? 'post' : 'basic',
    loginHint: 'login_hint',
    idToken: { issuer: found.issuer, jwks: jwksUrl! },
    refresh: false,
    fetchProfile: (tokens, context) => profileOf(connection, userInfoUrl, tokens, context),
    toUser: (profile) => ({
      id: profile.sub,
      name: claimOf(profile, connection.mapping.name ?? 'name'),
      // A provider that has not verified an address must not sign in the user who has it.
      email: isRefuted(profile.email_verified)
        ? null
        : textsOf(claimOf(profile, connection.mapping.email ?? 'email'))[0],
      image: null,
      emailVerified: true,
      extra: profile,
    }),
    ...(usesKey ? { clientAssertion: ({ now }) => assertionOf(config, found.issuer, secret, now) } : {}),
  }
  return {
    provider,
    options: { clientId: config.clientId, clientSecret: usesKey ? '' : secret },
    callbackPath,
    redirectUri: urlOf(scope, callbackPath),
  }
}

/** Some providers send the claim as text or a number. */
const isRefuted = (verified: unknown): boolean => ['false', '0', 'no'].includes(String(verified).toLowerCase())

/** The claims of the id token; those of the userinfo endpoint where the token lacks the address or the groups. */
async function profileOf(
  { mapping }: Connection,
  userInfoUrl: string | undefined,
  { claims, accessToken }: ProviderTokens,
  context: ProviderContext,
): Promise<Profile | null> {
  if (!claims) throw new ProviderResponseError('the response has no id token')
  const wanted = [
    mapping.email ?? 'email',
    ...(mapping.roles.length + mapping.teams.length > 0 ? [mapping.groups ?? 'groups'] : []),
    ...(mapping.required ?? []).map(({ name }) => name),
  ]
  if (userInfoUrl === undefined || wanted.every((name) => claimOf(claims, name) !== undefined)) return claims
  const profile = await getObject(context, userInfoUrl, { accessToken })
  // OpenID Connect Core, section 5.3.2.
  if (String(profile.sub) !== String(claims.sub)) throw new ProviderResponseError('the profile has another subject')
  return { ...profile, ...claims }
}

/** RFC 7523, section 3; OpenID Connect Core, section 9. The audience is the issuer (RFC 9700, section 2.1.2). */
async function assertionOf({ clientId }: OidcConfig, issuer: string, secret: string, now: Date): Promise<string> {
  const jwk = JSON.parse(secret) as { kid: string }
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + minutes(1))
    .sign(await importJWK(jwk, 'RS256'))
}
