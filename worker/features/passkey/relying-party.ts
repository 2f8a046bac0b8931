import type { Scope } from '../../identity/scope.ts'
import { passkeyOptions } from './passkey.config.ts'

/** Who we are to an authenticator: the domain that passkeys are bound to, and the origins that may use them. */
export interface RelyingParty {
  id: string
  name: string
  origins: string[]
}

export function relyingParty(scope: Scope): RelyingParty {
  const { rpID, rpName, origin } = passkeyOptions.of(scope)
  const { baseUrl, appName } = scope.settings
  return {
    id: rpID ?? new URL(baseUrl).hostname,
    name: rpName ?? appName,
    origins: origin === null ? [new URL(baseUrl).origin] : [origin].flat(),
  }
}

/**
 * The name under which authenticators file a person's passkeys (WebAuthn, section 5.4.3): the same for all of them,
 * so that a list of those that still work can be signalled. Random like every id, it says nothing about the person.
 */
export const userHandle = (userId: string) => new Uint8Array(new TextEncoder().encode(userId))
