import { authorizeContract } from './authorize/authorize.contract.ts'
import { connectionsContract } from './connections/connections.contract.ts'
import { consentContract } from './consent/consent.contract.ts'
import { deviceContract } from './device/device.contract.ts'
import { discoveryContract } from './discovery/discovery.contract.ts'
import { findClientsContract } from './find-clients/find-clients.contract.ts'
import { introspectionContract } from './introspection/introspection.contract.ts'
import { logoutContract } from './logout/logout.contract.ts'
import { ownClientsContract } from './own-clients/own-clients.contract.ts'
import { parContract } from './par/par.contract.ts'
import { registrationContract } from './registration/registration.contract.ts'
import { resourcesContract } from './resources/resources.contract.ts'
import { revocationContract } from './revocation/revocation.contract.ts'
import { tokenContract } from './token/token.contract.ts'
import { userinfoContract } from './userinfo/userinfo.contract.ts'

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { identityProvider: true; organizationResources?: true }
}

export const identityProviderContract = {
  ...discoveryContract,
  ...authorizeContract,
  ...consentContract,
  ...tokenContract,
  ...userinfoContract,
  ...registrationContract,
  ...introspectionContract,
  ...revocationContract,
  ...parContract,
  ...deviceContract,
  ...logoutContract,
  ...ownClientsContract,
  ...findClientsContract,
  ...connectionsContract,
  ...resourcesContract,
}
