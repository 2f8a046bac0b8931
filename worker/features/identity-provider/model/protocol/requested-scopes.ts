import { words } from './parameters.ts'

/** Scopes that OpenID Connect Core, section 5.4, defines and a server need not support. */
const optionalScopes = ['address', 'phone']

/** The scopes of a request: `openid` by default. */
export const requestedScopes = (scope: string | undefined): string[] => {
  const list = words(scope)
  return list.length > 0 ? list : ['openid']
}

/** A list of scopes without those that OpenID Connect defines and this server does not support. Undefined: none remains. */
export function withoutUnsupported(scope: string | undefined, supported: readonly string[]): string | undefined {
  const kept = words(scope).filter((one) => supported.includes(one) || !optionalScopes.includes(one))
  return kept.length > 0 ? kept.join(' ') : undefined
}

/**
 * The `scope` of a request without what OpenID Connect Core requires to ignore: scopes of the standard that are not supported (section
 * 3.1.2.1), and `offline_access` without `prompt=consent` (section 11). Unknown scopes stay, so that the checks
 * reject them. The token response states the scopes that are granted (RFC 6749, section 5.1).
 */
export function acceptedScope(
  scope: string | undefined,
  { supported, offline }: { supported: readonly string[]; offline: boolean },
): string | undefined {
  const kept = words(withoutUnsupported(scope, supported)).filter((one) => offline || one !== 'offline_access')
  return kept.length > 0 ? kept.join(' ') : undefined
}
