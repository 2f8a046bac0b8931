import { sha256 } from '../../../kit/hash.ts'
import type { TrustedClient } from '../identity-provider.config.ts'
import type { OAuthApplication } from '../identity-provider.table.ts'
import type { ClientRegistration } from './client-registration.ts'

export const authenticationMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const
export type AuthenticationMethod = (typeof authenticationMethods)[number]

/** A client as the protocol sees it, wherever it was registered. */
export interface Client {
  clientId: string
  name: string
  icon: string | null
  redirectURLs: readonly string[]
  authenticationMethod: AuthenticationMethod
  /** SHA-256 of the secret; null where there is none. */
  secretHash: string | null
  disabled: boolean
  metadata: Record<string, unknown> | null
  registration: ClientRegistration
  /** Its people are not asked for consent. */
  trusted: boolean
}

/** Whether it cannot keep a secret (RFC 6749, section 2.1). */
export const isPublic = ({ authenticationMethod }: Client): boolean => authenticationMethod === 'none'

export const clientOfRow = (row: OAuthApplication, trusted: boolean): Client => ({
  clientId: row.clientId,
  name: row.name,
  icon: row.icon,
  redirectURLs: row.redirectURLs,
  authenticationMethod: row.authenticationScheme as AuthenticationMethod,
  secretHash: row.clientSecret,
  disabled: row.disabled,
  metadata: row.metadata,
  registration: row.registration,
  trusted,
})

export const clientOfConfiguration = (given: TrustedClient): Client => ({
  clientId: given.clientId,
  name: given.name,
  icon: given.icon ?? null,
  redirectURLs: given.redirectURLs,
  authenticationMethod: given.clientSecret ? 'client_secret_basic' : 'none',
  secretHash: given.clientSecret ? sha256(given.clientSecret) : null,
  disabled: given.disabled ?? false,
  metadata: given.metadata ?? null,
  registration: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
  trusted: given.askConsent !== true,
})
