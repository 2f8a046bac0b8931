import { createContext, useContext } from 'react'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'

type Settings = AnswerOf<'/sso/settings'>
export type Connection = Settings['connections'][number]
export type Domain = Settings['domains'][number]
export type Policy = Settings['policy']
export type SetupLink = Settings['setupLink']

export interface OidcValues {
  type: 'oidc'
  issuer: string
  clientId: string
  authentication: 'client-secret-basic' | 'client-secret-post' | 'private-key-jwt'
  scopes: string[]
  publicKey?: Record<string, unknown>
}

export interface SamlValues {
  type: 'saml'
  entityId: string
  ssoUrl: string
  certificates: string[]
  acceptsIdpInitiated: boolean
  sloUrl: string | null
  /** The address of the metadata, which is read every day. */
  metadataUrl: string | null
  signsRequests: boolean
  certificatesExpireAt?: string
}

export type Values = OidcValues | SamlValues

/** The newest configuration: the draft of an active connection, or the configuration in use. */
export const valuesOf = ({ draft, config }: Connection): Values => (draft ?? config) as unknown as Values

export const isComplete = (connection: Connection): boolean => {
  const values = valuesOf(connection)
  return (values.type === 'oidc' ? values.issuer : values.entityId) !== ''
}

export type Metadata = Pick<SamlValues, 'entityId' | 'ssoUrl' | 'certificates' | 'sloUrl'>

/** Names of attributes; members also decide what follows from groups. */
export interface Names {
  email: string | null
  name: string | null
  groups: string | null
}

export interface Mapping extends Names {
  /** Missing: none. */
  required?: { name: string; values: string[] }[]
  createsMembers: boolean
  defaultRole: string
  roles: { group: string; role: string }[]
  teams: { group: string; teamId: string }[]
}

export interface Changes {
  connectionId: string
  name?: string
  config?: Values
  clientSecret?: string
  mapping?: Names
  state?: 'active'
  discardsDraft?: boolean
}

/**
 * Who sets up single sign-on, and how its calls are made: a member in the settings of the organization, or the holder of a
 * set-up link. Both have the same pages.
 */
export interface Manager {
  connections: Connection[]
  domains: Domain[]
  /** Null for the holder of a set-up link. */
  organizationId: string | null
  mayChange: boolean
  create(input: { name: string; type: 'oidc' | 'saml' }): Promise<Result<Connection>>
  update(changes: Changes): Promise<Result<Connection>>
  /** Reads the metadata of a SAML identity provider. */
  readMetadata(url: string): Promise<Result<Metadata>>
  /** Opens the page of the identity provider, which leads back to the connection. */
  test(connectionId: string): Promise<Result<unknown>>
  addDomain(domain: string): Promise<Result<Domain>>
  verifyDomain(domainId: string): Promise<Result<Domain>>
  /** The address of the page of a connection; null for the list. */
  pathOf(connectionId: string | null): string
  refresh(): void
}

export const ManagerContext = createContext<Manager | null>(null)

export function useManager(): Manager {
  const manager = useContext(ManagerContext)
  if (!manager) throw new Error('useManager is called outside of a page for single sign-on')
  return manager
}
