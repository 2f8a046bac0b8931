import { readCached, writeCached } from '../../../identity/document-cache.ts'
import type { Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { minutes } from '../../../kit/time.ts'
import { getObject, ProviderResponseError } from './fetch-json.ts'

/** Fields of a discovery document (OpenID Connect Discovery, section 3; RFC 8414). */
export interface Discovered {
  issuer: string
  authorizationUrl?: string
  tokenUrl?: string
  userInfoUrl?: string
  jwksUrl?: string
  sendsIssuer: boolean
}

const lifetime = minutes(10)

const withoutSlash = (text: string) => text.replace(/\/$/, '')

/** The discovery document at a URL, cached in KV. @param expected its issuer @throws Fault when it is unavailable */
export async function discover(
  scope: Scope,
  url: string,
  headers: Record<string, string> | undefined,
  expected: string | undefined,
): Promise<Discovered> {
  const key = `discovery:${sha256(url)}`
  const cached = await readCached<Discovered>(scope, key)
  if (cached) return cached
  const document = await getObject({ outside: scope.outside }, url, headers ? { headers } : {})
  const text = (name: string) => (typeof document[name] === 'string' ? (document[name] as string) : undefined)
  const issuer = text('issuer')
  const below = url.split('/.well-known/')[0]!
  if (!issuer || withoutSlash(issuer) !== withoutSlash(expected ?? below)) {
    throw new ProviderResponseError('the discovery document has another issuer')
  }
  const found: Discovered = { issuer, sendsIssuer: document.authorization_response_iss_parameter_supported === true }
  const endpoints = {
    authorizationUrl: text('authorization_endpoint'),
    tokenUrl: text('token_endpoint'),
    userInfoUrl: text('userinfo_endpoint'),
    jwksUrl: text('jwks_uri'),
  }
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (endpoint !== undefined) found[name as keyof typeof endpoints] = endpoint
  }
  writeCached(scope, key, found, lifetime)
  return found
}
