import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { authorizeHandlers } from './authorize/authorize.routes.ts'
import { connectionsHandlers } from './connections/connections.routes.ts'
import { consentHandlers } from './consent/consent.routes.ts'
import { deviceHandlers } from './device/device.routes.ts'
import { discoveryHandlers } from './discovery/discovery.routes.ts'
import { findClientsHandlers } from './find-clients/find-clients.routes.ts'
import { identityProviderContract } from './identity-provider.contract.ts'
import { identityProviderOperations } from './identity-provider.operations.ts'
import { introspectionHandlers } from './introspection/introspection.routes.ts'
import { logoutHandlers } from './logout/logout.routes.ts'
import { ownClientsHandlers } from './own-clients/own-clients.routes.ts'
import { parHandlers } from './par/par.routes.ts'
import { registrationHandlers } from './registration/registration.routes.ts'
import { resourcesHandlers } from './resources/resources.routes.ts'
import { revocationHandlers } from './revocation/revocation.routes.ts'
import { tokenHandlers } from './token/token.routes.ts'
import { userinfoHandlers } from './userinfo/userinfo.routes.ts'

export const identityProviderEndpoints = defineEndpoints({
  routes: routes(identityProviderContract, {
    ...discoveryHandlers,
    ...authorizeHandlers,
    ...consentHandlers,
    ...tokenHandlers,
    ...userinfoHandlers,
    ...registrationHandlers,
    ...introspectionHandlers,
    ...revocationHandlers,
    ...parHandlers,
    ...deviceHandlers,
    ...logoutHandlers,
    ...ownClientsHandlers,
    ...findClientsHandlers,
    ...connectionsHandlers,
    ...resourcesHandlers,
  }),
  operations: identityProviderOperations,
})
