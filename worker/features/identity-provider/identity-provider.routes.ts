import { reading, routes } from '../../http/routes.ts'
import { isOwnSession } from '../../identity/caller.ts'
import type { Scope } from '../../identity/scope.ts'
import { authorize } from './authorize/authorize.ts'
import { asQuery, goTo } from './authorize/navigation.ts'
import type { AuthorizationEndpoint } from './authorize/rules.ts'
import { waitingClient } from './authorize/waiting-client.ts'
import { selectApplicationsOf } from './clients/clients.store.ts'
import { findClient } from './clients/find-client.ts'
import { deleteOwnClient, presentOwnClient, rotateSecret, updateOwnClient } from './clients/own-clients.ts'
import { connectionErrors } from './connections/connections.errors.ts'
import { deleteConnection, selectConnections } from './connections/connections.store.ts'
import { answerConsent, readConsent } from './consent/consent.ts'
import { answerDevice, readDevice, startDevice } from './device/device.ts'
import { discoveryDocument } from './discovery/discovery.ts'
import { identityProviderOptions } from './identity-provider.config.ts'
import { identityProviderContract } from './identity-provider.contract.ts'
import { oauthError } from './identity-provider.errors.ts'
import { introspect } from './introspection/introspection.ts'
import { endpointUrl } from './issuer.ts'
import { endSessionForClient } from './logout/logout.ts'
import { push } from './par/par.ts'
import { words } from './parameters.ts'
import { register } from './registration/registration.ts'
import { revoke } from './revocation/revocation.ts'
import { noStore, token } from './token/token.ts'
import { readPresented, userinfo } from './userinfo/userinfo.ts'

const endpointOf = (scope: Scope): AuthorizationEndpoint => ({
  path: '/oauth2/authorize',
  resources: identityProviderOptions.of(scope).resources,
})

const queryOf = (request: Request): string => new URL(request.url).search.slice(1)

const claims = ({ scope, request }: { scope: Scope; request: Request }) =>
  userinfo(scope, readPresented(request.headers.get('authorization')))

export const identityProviderRoutes = routes(identityProviderContract, {
  openidConfiguration: ({ scope }) => discoveryDocument(scope),
  authorize: async ({ scope, request }) => goTo(request, await authorize(scope, queryOf(request), endpointOf(scope))),
  authorizeByPost: ({ scope, raw }) => asQuery(endpointUrl(scope, '/oauth2/authorize'), raw),
  readConsent: ({ scope, caller, query }) => readConsent(scope, caller, query.consent_code),
  consent: async ({ scope, caller, body }) => ({ redirectURI: await answerConsent(scope, caller, body) }),
  oauthToken: async ({ scope, request, raw }) => noStore(await token(scope, request, raw)),
  userinfo: claims,
  userinfoByPost: claims,
  registerClient: async ({ scope, raw }) => {
    const caller = await scope.caller()
    return register(scope, raw, { caller: caller && isOwnSession(caller) ? caller : null, anonymous: false })
  },
  clientInfo: async ({ scope, params }) => {
    const client = await findClient(scope, params.id)
    if (!client) throw oauthError('not_found', 'client not found')
    return { clientId: client.clientId, name: client.name, icon: client.icon }
  },
  loginPrompt: async ({ scope }) => ({ client: await waitingClient(scope) }),
  introspect: async ({ scope, request, raw }) => noStore(await introspect(scope, request, raw)),
  revokeToken: async ({ scope, request, raw }) => {
    await revoke(scope, request, raw)
    return {}
  },
  pushAuthorizationRequest: async ({ scope, request, raw }) =>
    noStore(await push(scope, request, raw, endpointOf(scope)), 201),
  authorizeDevice: async ({ scope, request, raw }) => noStore(await startDevice(scope, request, raw)),
  readDevice: ({ scope, caller, body }) => readDevice(scope, caller, body.user_code),
  answerDevice: async ({ scope, caller, body }) => {
    await answerDevice(scope, caller, body)
    return { status: true }
  },
  endSession: async ({ scope, request }) => goTo(request, await endSessionForClient(scope, queryOf(request))),
  endSessionByPost: ({ scope, raw }) => asQuery(endpointUrl(scope, '/oauth2/end-session'), raw),
  listOwnClients: reading(
    ({ scope, own }) => [selectApplicationsOf(scope.db, own.userId)],
    (_call, [rows]) => rows.map(presentOwnClient),
  ),
  updateOwnClient: ({ scope, caller, body }) => updateOwnClient(scope, caller, body),
  rotateClientSecret: ({ scope, caller, body }) => rotateSecret(scope, caller, body.clientId),
  deleteOwnClient: async ({ scope, caller, body }) => {
    await deleteOwnClient(scope, caller, body.clientId)
    return { status: true }
  },
  listConnections: reading(
    ({ scope, own }) => [selectConnections(scope.db, own.userId)],
    (_call, [rows]) => rows.map((row) => ({ ...row, scopes: words(row.scopes) })),
  ),
  deleteConnection: async ({ scope, caller, body }) => {
    if (!(await deleteConnection(scope.db, caller.user.id, body.clientId))) {
      throw connectionErrors.CONNECTION_NOT_FOUND()
    }
    return { status: true }
  },
})
