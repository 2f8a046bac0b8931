import type { Scope } from '../../../identity/scope.ts'
import { deriveKey, equalSecrets, hmac } from '../../../kit/hash.ts'

/** What an `auth_req_id` states. */
interface Named {
  id: string
  clientId: string
  /** Unix ms. */
  expiresAt: number
}

const macOf = (secret: string, { id, clientId, expiresAt }: Named): string =>
  hmac(deriveKey(secret, 'auth-req-id'), `${id}.${expiresAt}.${clientId}`)

/**
 * The `auth_req_id` (OpenID Connect CIBA, section 7.3): it is a function of the request, so that no secret of it is stored, and so
 * that the id of a request that was never stored, because its user is unknown, behaves like any other.
 */
export const authReqId = (scope: Scope, named: Named): string =>
  `${named.id}.${named.expiresAt}.${macOf(scope.settings.secrets[0], named)}`

/** The request that an `auth_req_id` of this client names; null for any other text. */
export function readAuthReqId(scope: Scope, clientId: string, text: string): Named | null {
  const [id = '', expiry = '', mac = '', more] = text.split('.')
  if (more !== undefined || !/^\w{1,64}$/.test(id) || !/^\d{1,15}$/.test(expiry)) return null
  const named = { id, clientId, expiresAt: Number(expiry) }
  return scope.settings.secrets.some((secret) => equalSecrets(mac, macOf(secret, named))) ? named : null
}
