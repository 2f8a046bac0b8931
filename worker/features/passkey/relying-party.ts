import type { Scope } from '../../identity/scope.ts'
import { passkeyOptions } from './passkey.config.ts'

/** The relying party: the domain that passkeys are bound to, and the origins that may use them. */
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

/** The name of all passkeys of a user (WebAuthn, section 5.4.3), which reveals nothing about the user. */
export const userHandle = (userId: string) => new Uint8Array(new TextEncoder().encode(userId))
