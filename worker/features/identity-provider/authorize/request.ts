import type { Client } from '../clients/client.ts'
import type { Parameters } from '../parameters.ts'

/** What the checks of a request depend on besides the request. */
export interface Rules {
  scopes: readonly string[]
  resources: readonly string[]
  requirePKCE: boolean
  allowPlain: boolean
}

/** An authorization request whose client and redirect URI are proven: from here on errors go back to the client. */
export interface AuthorizationRequest {
  given: Parameters
  repeated: readonly string[]
  client: Client
  redirectUri: string
  rules: Rules
  /** Whether it was pushed (RFC 9126). */
  pushed: boolean
}

/** Why a request is refused. `page`: the person is told, not the client. */
export interface Refusal {
  error: string
  description: string
  page?: true
}

/** One named check of an authorization request; null lets it pass. Checks only look, and run in the table's order. */
export type Check = (request: AuthorizationRequest) => Refusal | null

export const refusal = (error: string, description: string): Refusal => ({ error, description })
