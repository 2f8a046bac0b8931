import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload } from 'jose'
import { readCached, writeCached } from '../../../../identity/document-cache.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { clockTolerance, verifyForeignJwt } from '../../../../kit/foreign-jwt.ts'
import { sha256 } from '../../../../kit/hash.ts'
import { hours, minutes } from '../../../../kit/time.ts'
import type { Workload } from '../../identity-provider.config.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import { issuerOf } from '../protocol/urls.ts'
import type { ServiceRights } from './client.ts'
import { allowFetch, fetchJson } from './fetch-json.ts'
import { assertionAlgorithms, isKeySet } from './private-key-jwt.ts'

/** Key sets of issuers contain certificates, too. */
const maxBytes = 128 * 1024

/** Maximum time until an assertion expires; its use is stored as long. */
const maxLifetime = hours(24)

const refused = (detail: string) => oauthError('invalid_grant', 'invalid assertion', { detail })

/** An issuer of the configuration. */
type Issuer = Pick<Workload, 'issuer' | 'jwksUri'>

/** The issuer's keys, by its discovery document (OpenID Connect Discovery, section 4), cached for ten minutes. */
async function readKeys(scope: Scope, { issuer, jwksUri }: Issuer): Promise<JSONWebKeySet> {
  const key = `workload-keys:${sha256(`${issuer} ${jwksUri ?? ''}`)}`
  allowFetch(scope)
  allowFetch(scope)
  const known = await readCached<JSONWebKeySet>(scope, key)
  if (known) return known
  const found = await fetchJson(scope, jwksUri ?? (await keysAddress(scope, issuer)), { kind: 'keys', limit: maxBytes })
  if (!isKeySet(found)) throw refused('the keys of the issuer cannot be read')
  writeCached(scope, key, found, minutes(10))
  return found
}

async function keysAddress(scope: Scope, issuer: string): Promise<string> {
  const document = await fetchJson(scope, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    kind: 'keys',
    limit: maxBytes,
  })
  const { issuer: stated, jwks_uri: address } = (document ?? {}) as Record<string, unknown>
  if (stated !== issuer || typeof address !== 'string') throw refused('the issuer has no discovery document')
  return address
}

/** Whether a token has every configured claim. A list in the token is compared with none of the values. */
export const hasClaims = (payload: JWTPayload, { claims }: Pick<Workload, 'claims'>): boolean =>
  Object.entries(claims).every(([name, wanted]) => {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined
    return typeof value === 'string' && [wanted].flat().includes(value)
  })

function claimsOf(assertion: string): JWTPayload {
  try {
    return decodeJwt(assertion)
  } catch {
    throw refused('it is not a JWT')
  }
}

/** Verifies the signature, the issuer and the times of a JWT. @throws invalid_grant */
export async function verifyOfIssuer(
  scope: Scope,
  assertion: string,
  issuers: readonly Issuer[],
  more: { typ?: string; audience?: string } = {},
): Promise<JWTPayload> {
  const { iss } = claimsOf(assertion)
  const issuer = issuers.find((one) => one.issuer === iss)
  if (!issuer) throw refused('the issuer is unknown')
  const { payload } = await verifyForeignJwt(assertion, createLocalJWKSet(await readKeys(scope, issuer)), {
    issuer: issuer.issuer,
    algorithms: assertionAlgorithms,
    requiredClaims: ['exp', 'sub', 'aud'],
    currentDate: scope.now(),
    ...more,
  }).catch((thrown: Error) => {
    throw refused(thrown.message)
  })
  return payload
}

/**
 * Verifies a token of a configured issuer (RFC 7523, section 3): signature, issuer, audience, time, the claims of the
 * configuration, and its first use. @throws invalid_grant
 */
export async function verifyWorkload(scope: Scope, service: ServiceRights, assertion: string): Promise<void> {
  const payload = await verifyOfIssuer(scope, assertion, service.workloads)
  const { iss } = payload
  const candidates = service.workloads.filter(({ issuer }) => issuer === iss)
  const audiences = [payload.aud].flat()
  const fits = candidates.some(
    (workload) => audiences.includes(workload.audience ?? issuerOf(scope)) && hasClaims(payload, workload),
  )
  if (!fits) throw refused('its audience or its claims do not identify the service')
  if (payload.exp! - scope.now().getTime() / 1000 > maxLifetime) throw refused('it lives too long')
  // Without a `jti`: the signed part, because an attacker can change an ECDSA signature without invalidating it.
  const id = payload.jti ?? sha256(assertion.slice(0, assertion.lastIndexOf('.')))
  const rule = { max: 1, window: maxLifetime + clockTolerance }
  const { allowed } = await scope.counters.hit(`workload:${sha256(`${iss} ${id}`)}`, rule)
  if (!allowed) throw refused('it has been used before')
}
