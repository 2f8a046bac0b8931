import type { Scope } from '../../../identity/scope.ts'
import { basePath } from '../../../identity/settings.ts'
import { open } from '../../../kit/encrypt.ts'
import type { Connection } from '../model/connections.table.ts'

/** Paths of a connection below the base path. */
export const callbackPathOf = ({ id }: Pick<Connection, 'id'>): string => `/sso/callback/${id}`

/** The assertion consumer service of a SAML connection. Each connection has its own, so that a response fits one only. */
export const acsPathOf = ({ id }: Pick<Connection, 'id'>): string => `/sso/saml2/acs/${id}`

/** The single logout service of a SAML connection. */
export const logoutPathOf = ({ id }: Pick<Connection, 'id'>): string => `/sso/saml2/logout/${id}`

export const urlOf = ({ settings }: Pick<Scope, 'settings'>, path: string): string =>
  `${settings.baseUrl}${basePath}${path}`

/** A connection without its secret, with the values for the identity provider. */
export function presentConnection(scope: Scope, connection: Connection) {
  const { secret, config, draftConfig, draftSecret: _draftSecret, ...others } = connection
  const { ownKeys: _ownKeys, refreshAt: _refreshAt, noticeAt: _noticeAt, ...shown } = others
  return {
    ...shown,
    config: { ...config },
    draft: draftConfig && { ...draftConfig },
    mapping: { ...connection.mapping },
    hasSecret: secret !== null,
    serviceProvider: serviceProviderOf(scope, connection),
  }
}

function serviceProviderOf(scope: Scope, connection: Connection): Record<string, string> {
  if (connection.type === 'oidc') return { redirectUri: urlOf(scope, callbackPathOf(connection)) }
  const entityId = entityIdOf(scope, connection)
  return {
    entityId,
    metadataUrl: entityId,
    assertionConsumerServiceUrl: urlOf(scope, acsPathOf(connection)),
    singleLogoutServiceUrl: urlOf(scope, logoutPathOf(connection)),
  }
}

/** The opened secret of a connection. */
export const connectionSecretOf = async (scope: Scope, { secret }: Connection): Promise<string | null> =>
  secret === null ? null : open(scope.settings.secrets, secret)

/** Whether requests for a sign-in are signed. */
export const signsRequests = ({ config, ownKeys }: Connection): boolean =>
  config.type === 'saml' && ownKeys !== null && config.signsRequests !== false

/** The private keys of a SAML connection in PEM, the signing one first. */
export const ownKeysOf = async (scope: Scope, { ownKeys }: Connection): Promise<string[]> =>
  ownKeys === null ? [] : JSON.parse(await open(scope.settings.secrets, ownKeys))

/** The entity id of the service provider of a connection, which is the address of its metadata. */
export const entityIdOf = (scope: Pick<Scope, 'settings'>, { id }: Pick<Connection, 'id'>): string =>
  urlOf(scope, `/sso/saml2/metadata/${id}`)
