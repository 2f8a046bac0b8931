import type { Scope } from '../../../identity/scope.ts'
import { basePath } from '../../../identity/settings.ts'
import { open } from '../../../kit/encrypt.ts'
import type { Connection } from '../model/connections.table.ts'

/** Paths of a connection below the base path. */
export const callbackPathOf = ({ id }: Pick<Connection, 'id'>): string => `/sso/callback/${id}`

export const urlOf = ({ settings }: Pick<Scope, 'settings'>, path: string): string =>
  `${settings.baseUrl}${basePath}${path}`

/** A connection without its secret, with the values for the identity provider. */
export function presentConnection(scope: Scope, connection: Connection) {
  const { secret, config, ...shown } = connection
  return {
    ...shown,
    config: { ...config },
    mapping: { ...connection.mapping },
    hasSecret: secret !== null,
    serviceProvider: serviceProviderOf(scope, connection),
  }
}

function serviceProviderOf(scope: Scope, connection: Connection): Record<string, string> {
  return { redirectUri: urlOf(scope, callbackPathOf(connection)) }
}

/** The opened secret of a connection. */
export const secretOf = async (scope: Scope, { secret }: Connection): Promise<string | null> =>
  secret === null ? null : open(scope.settings.secrets, secret)
