import { Buffer } from 'node:buffer'
import { isTrustedOrigin } from '../../http/edge/trusted-origin.ts'
import type { Scope } from '../../identity/scope.ts'
import { originOf } from '../../kit/urls.ts'
import { passkeyOptions } from './passkey.config.ts'

/** The relying party: the domain that passkeys are bound to, and the origins that may use them. */
export interface RelyingParty {
  id: string
  name: string
  /** Origins of ceremonies. */
  origins: string[]
}

/** @param clientData of a response, in base64url: its origin may match a pattern of `trustedOrigins` */
export function relyingParty(scope: Scope, clientData?: string): RelyingParty {
  const { rpID, rpName, origin, relatedOrigins } = passkeyOptions.of(scope)
  const { baseUrl, appName } = scope.settings
  const id = rpID ?? new URL(baseUrl).hostname
  const own = origin === null ? ownOrigins(scope, id, clientData) : [origin].flat()
  return { id, name: rpName ?? appName, origins: [...own, ...relatedOrigins] }
}

/** Our own origin, and trusted ones whose host is the domain or below it. */
function ownOrigins({ settings }: Scope, id: string, clientData: string | undefined): string[] {
  const claimed = clientData === undefined ? null : originIn(clientData)
  const isOurs = claimed !== null && isUnder(claimed, id) && isTrustedOrigin(settings, claimed)
  return [new URL(settings.baseUrl).origin, ...(isOurs ? [claimed] : [])]
}

/** Browsers offer passkeys to secure pages only: https, and localhost. */
function isUnder(origin: string, id: string): boolean {
  const { protocol, hostname } = new URL(origin)
  const isSecure = protocol === 'https:' || (protocol === 'http:' && /(?:^|\.)localhost$/.test(hostname))
  return isSecure && (hostname === id || hostname.endsWith(`.${id}`))
}

/** The origin that the browser has signed (WebAuthn, section 5.8.1); null if it is not one of a page. */
function originIn(clientData: string): string | null {
  try {
    const { origin } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { origin?: unknown }
    return typeof origin === 'string' && originOf(origin) === origin ? origin : null
  } catch {
    return null
  }
}

/** The name of all passkeys of a user (WebAuthn, section 5.4.3), which reveals nothing about the user. */
export const userHandle = (userId: string) => new Uint8Array(new TextEncoder().encode(userId))
