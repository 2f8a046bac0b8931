import { sha256 } from '../../../../kit/hash.ts'
import { alphabets, randomString } from '../../../../kit/random.ts'
import type { Service, TrustedClient, Workload } from '../../identity-provider.config.ts'
import type { Agent, AgentState, ClientRegistration, OAuthApplication, StoredService } from './clients.table.ts'

export const authenticationMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const
export type ClientAuthenticationMethod = (typeof authenticationMethods)[number]

/** RFC 6749, section 4.4, and RFC 7523, section 2.1: the grants without a user. */
export const clientCredentialsGrantType = 'client_credentials'
export const jwtBearerGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** RFC 8693, section 2.1: the grant of agents. */
export const exchangeGrantType = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** OpenID Connect CIBA, section 10.1. */
export const approvalGrantType = 'urn:openid:params:grant-type:ciba'

/** RFC 8693, section 3. */
export const tokenTypes = {
  access: 'urn:ietf:params:oauth:token-type:access_token',
  id: 'urn:ietf:params:oauth:token-type:id_token',
  /** draft-ietf-oauth-identity-assertion-authz-grant: an identity assertion for another authorization server. */
  assertion: 'urn:ietf:params:oauth:token-type:id-jag',
  /** Of this server: an access token of the provider that `audience` names. */
  provider: 'urn:gatehouse:token-type:provider-access-token',
} as const

/** What a service may have, by the configuration or by an administrator. */
export interface ServiceRights extends Readonly<StoredService> {
  /** Tokens of other issuers that it may exchange for its own. */
  workloads: readonly Workload[]
}

/** A client of the configuration, of a registration, or of a metadata document. */
export interface Client {
  clientId: string
  name: string
  icon: string | null
  redirectURLs: readonly string[]
  authenticationMethod: ClientAuthenticationMethod
  /** SHA-256 of the secret, and of its predecessor for a while after a rotation. */
  secretHashes: readonly string[]
  disabled: boolean
  metadata: Record<string, unknown> | null
  /** Resources whose tokens it may introspect, set by an administrator. */
  resources: readonly string[]
  registration: ClientRegistration
  /** Its users need not agree. */
  trusted: boolean
  /** The configuration does not name it: its name and icon are its own statement. */
  selfRegistered: boolean
  /** The user who registered it; null for clients of the configuration, of a document, and of a visitor. */
  userId: string | null
  /** Null for a client that is not an agent. */
  agent: Agent | null
  /** Null for a client that is not a service. */
  service: ServiceRights | null
  /** When the agent or the service ends; absent for other clients. */
  expiresAt?: Date
}

/** A public client cannot keep a secret (RFC 6749, section 2.1). */
export const isPublic = ({ authenticationMethod }: Client): boolean => authenticationMethod === 'none'

/** RFC 7591, section 2: `grant_types`. */
export const mayRefresh = ({ registration }: Client): boolean => registration.grant_types.includes('refresh_token')

/** Section 4 of CIBA: confidential clients that registered for it, and every agent. */
export const mayAskForApproval = (client: Client): boolean =>
  !isPublic(client) && (client.agent !== null || client.registration.grant_types.includes(approvalGrantType))

/** What users see of a client. */
export const presentClient = ({ clientId, name, icon }: Client) => ({ clientId, name, icon })

export function newClientSecret(): { secret: string; hash: string } {
  const secret = randomString(32, alphabets.letters)
  return { secret, hash: sha256(secret) }
}

/** The state of an agent or a service. `expired`: its time has ended while it was active or paused. */
export function stateOf(
  { state, expiresAt }: Pick<OAuthApplication, 'state' | 'expiresAt'>,
  now: Date,
): AgentState | 'expired' {
  if (state === 'revoked' || state === null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : state
}

const isLater = (end: Date | null, now: Date): boolean => end !== null && end > now

export const clientOfRow = (row: OAuthApplication, trusted: boolean, now: Date): Client => ({
  clientId: row.clientId,
  name: row.name,
  icon: row.icon,
  redirectURLs: row.redirectURLs,
  authenticationMethod: row.authenticationScheme as ClientAuthenticationMethod,
  secretHashes: [row.clientSecret, isLater(row.previousSecretEndsAt, now) ? row.previousSecret : null].filter(
    (hash) => hash !== null,
  ),
  disabled: row.disabled || ((row.agent ?? row.service) !== null && stateOf(row, now) !== 'active'),
  metadata: row.metadata,
  resources: row.resources ?? [],
  registration: row.registration,
  trusted,
  selfRegistered: !trusted,
  userId: row.userId,
  agent: row.agent,
  service: row.service && { ...row.service, workloads: [] },
  ...(row.expiresAt ? { expiresAt: row.expiresAt } : {}),
})

export const clientOfConfiguration = (given: TrustedClient): Client => ({
  clientId: given.clientId,
  name: given.name,
  icon: given.icon ?? null,
  redirectURLs: given.redirectURLs,
  authenticationMethod: given.clientSecret ? 'client_secret_basic' : 'none',
  secretHashes: given.clientSecret ? [sha256(given.clientSecret)] : [],
  disabled: given.disabled ?? false,
  metadata: given.metadata ?? null,
  resources: [],
  registration: {
    grant_types: ['authorization_code', 'refresh_token', ...(given.clientSecret ? [approvalGrantType] : [])],
    response_types: ['code'],
  },
  trusted: given.askConsent !== true,
  selfRegistered: false,
  userId: null,
  agent: null,
  service: null,
})

/** Whether the configuration describes the whole client; otherwise it gives access to a registered one. */
export const hasCredentials = ({ clientSecret, jwks, jwksUri, workloads }: Service): boolean =>
  Boolean(clientSecret ?? jwks ?? jwksUri) || workloads.length > 0

/**
 * A client without users. One that only exchanges tokens of other issuers has no credentials here, and is as a public
 * client: no grant accepts it without such a token.
 */
export function clientOfService(given: Service): Client {
  const { clientId, name, clientSecret, jwks, jwksUri, disabled } = given
  const signs = jwks !== undefined || jwksUri !== undefined
  const withSecret = clientSecret ? 'client_secret_basic' : 'none'
  return {
    clientId,
    name: name || clientId,
    icon: null,
    redirectURLs: [],
    authenticationMethod: signs ? 'private_key_jwt' : withSecret,
    secretHashes: clientSecret ? [sha256(clientSecret)] : [],
    disabled,
    metadata: null,
    resources: [],
    registration: {
      grant_types: [clientCredentialsGrantType, jwtBearerGrantType],
      response_types: [],
      ...(jwks ? { jwks } : {}),
      ...(jwksUri ? { jwks_uri: jwksUri } : {}),
    },
    trusted: true,
    selfRegistered: false,
    userId: null,
    agent: null,
    service: given,
  }
}
