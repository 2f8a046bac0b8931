import type { Scope } from '../../../../identity/scope.ts'
import { minutes } from '../../../../kit/time.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'

type Configured = Pick<Scope, 'options'>

/** Whether the FAPI 2.0 Security Profile is on (Final, section 5). */
export const isFapi = (scope: Configured): boolean => identityProviderOptions.of(scope).securityProfile === 'fapi2'

/** FAPI 2.0 Security Profile, section 5.4.1: no RSASSA-PKCS1-v1_5. */
const fapiAlgorithms = ['PS256', 'ES256', 'EdDSA']

/** The algorithms of signatures that clients make. */
export const acceptedAlgorithms = (scope: Configured, all: readonly string[]): string[] =>
  all.filter((alg) => !isFapi(scope) || fapiAlgorithms.includes(alg))

/** The algorithm of a JWT of this server. @param wanted of a client's registration */
export const signatureAlgorithm = (scope: Configured, wanted: 'RS256' | 'EdDSA' = 'RS256'): 'RS256' | 'EdDSA' =>
  isFapi(scope) ? 'EdDSA' : wanted

/** Seconds; section 5.3.2.1, item 12: at most one minute. */
export function codeLifetime(scope: Configured): number {
  const { codeExpiresIn } = identityProviderOptions.of(scope)
  return isFapi(scope) ? Math.min(codeExpiresIn, minutes(1)) : codeExpiresIn
}

/** Seconds; section 5.3.2.2, item 11: less than ten minutes. */
export function pushedLifetime(scope: Configured): number {
  const { promptExpiresIn } = identityProviderOptions.of(scope)
  return isFapi(scope) ? Math.min(promptExpiresIn, minutes(9)) : promptExpiresIn
}
