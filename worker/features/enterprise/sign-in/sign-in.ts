import type { Scope } from '../../../identity/scope.ts'
import { passFault } from '../../../kit/errors.ts'
import { reasonOf } from '../../../platform/log.ts'
import { type AuthorizationParameters, startAuthorization } from '../../social/model/authorization.ts'
import type { ConfiguredProvider } from '../../social/model/configured-provider.ts'
import { isComplete } from '../model/connection-config.ts'
import { type Connection, draftOf } from '../model/connections.table.ts'
import { domainOfAddress } from '../model/domain-names.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import type { SsoManager } from '../model/managers.ts'
import { connectionById, connectionQuery } from '../model/model.store.ts'
import { oidcProviderOf } from './oidc-provider.ts'
import { startSaml } from './saml-sign-in.ts'
import { findActiveConnection, findConnectionOfDomain } from './sign-in.store.ts'

/**
 * The connection of the domain of an address, or an active connection by id. Known and unknown users get the same response
 * by the same path.
 */
export async function discoverSignIn(
  scope: Scope,
  { email = '', connectionId }: { email?: string | undefined; connectionId?: string | undefined },
) {
  if (connectionId !== undefined) {
    const [named] = await findActiveConnection(scope.db, connectionId)
    return { connection: named ?? null, required: false }
  }
  const found = await findConnectionOfDomain(scope.db, domainOfAddress(email) ?? '')
  if (!found?.connectionId) return { connection: null, required: false }
  return {
    connection: { id: found.connectionId, organization: found.organization },
    required: found.allowedMethods?.length === 0,
  }
}

interface Choice extends AuthorizationParameters {
  email?: string | undefined
  providerId?: string | undefined
}

/** Starts a sign-in through an active connection. @returns the URL of the identity provider */
export async function startSignIn(scope: Scope, { email, providerId, ...request }: Choice): Promise<string> {
  const id =
    providerId ?? (await findConnectionOfDomain(scope.db, domainOfAddress(email ?? '') ?? ''))?.connectionId ?? ''
  const [connection] = id === '' ? [] : await connectionById(scope.db, id)
  if (connection?.state !== 'active') throw errors.SINGLE_SIGN_ON_NOT_FOUND()
  return start(scope, connection, { ...request, loginHint: email })
}

/** Starts a test of the newest configuration of a connection, in any state. */
export async function startTest(
  scope: Scope,
  { organizationId, userId }: SsoManager,
  { connectionId, callbackURL }: { connectionId: string; callbackURL: string },
): Promise<string> {
  const [connection] = await connectionQuery(scope.db, organizationId, connectionId)
  if (!connection) throw errors.SSO_CONNECTION_NOT_FOUND()
  if (!isComplete(draftOf(connection).config)) throw errors.CONNECTION_IS_INCOMPLETE()
  return start(scope, draftOf(connection), { callbackURL, errorCallbackURL: callbackURL, test: { userId } })
}

async function start(scope: Scope, connection: Connection, request: AuthorizationParameters): Promise<string> {
  if (connection.type === 'saml') return startSaml(scope, connection, request)
  return startAuthorization(scope, await reachable(scope, connection), request)
}

/** @throws CONNECTION_IS_NOT_REACHABLE for an invalid discovery document; Fault when it is unavailable */
async function reachable(scope: Scope, connection: Connection): Promise<ConfiguredProvider> {
  try {
    return await oidcProviderOf(scope, connection)
  } catch (thrown) {
    passFault(thrown)
    throw errors.CONNECTION_IS_NOT_REACHABLE({ detail: reasonOf(thrown) })
  }
}
