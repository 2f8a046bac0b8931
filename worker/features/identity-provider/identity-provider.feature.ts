import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { after, days } from '../../kit/time.ts'
import { storedSecrets } from '../../platform/stored-secrets.table.ts'
import { jwtOptions } from '../jwt/jwt.config.ts'
import { agentsOperations } from './agents/agents.operations.ts'
import { agentsHandlers } from './agents/agents.routes.ts'
import { deleteOldAgents } from './agents/agents.store.ts'
import { approvalJobs } from './approvals/approval-jobs.ts'
import { approvalsHandlers } from './approvals/approvals.routes.ts'
import { deleteOldRequests } from './approvals/approvals.store.ts'
import { approvalRequests } from './approvals/approvals.table.ts'
import { authorizeHandlers } from './authorize/authorize.routes.ts'
import { connectionsHandlers } from './connections/connections.routes.ts'
import { endApplicationsOf, endConnectionsOf } from './connections/connections.store.ts'
import { consentHandlers } from './consent/consent.routes.ts'
import { deviceHandlers } from './device/device.routes.ts'
import { discoveryHandlers } from './discovery/discovery.routes.ts'
import { endedTokenJobs, endTokens, feedVoidedTokens } from './grants/ended-tokens.ts'
import { releaseExpired } from './grants/logout-messages.store.ts'
import { deleteExpiredServiceTokens } from './grants/service-tokens.store.ts'
import { pairwiseSalt } from './grants/subjects.ts'
import { deleteExpiredTokens, eraseTokens, ofCredentials, ofUser, ofUserWhen } from './grants/tokens.store.ts'
import { identityProviderOptions } from './identity-provider.config.ts'
import { identityProviderContract, type OptionalPublicConfiguration } from './identity-provider.contract.ts'
import { identityProviderOperations } from './identity-provider.operations.ts'
import { resumeAuthorization } from './identity-provider.steps.ts'
import { introspectionHandlers } from './introspection/introspection.routes.ts'
import { logoutJobs, releaseLogouts } from './logout/back-channel.ts'
import { logoutHandlers } from './logout/logout.routes.ts'
import { overviewHandlers } from './overview/overview.routes.ts'
import { ownClientsHandlers } from './own-clients/own-clients.routes.ts'
import { parHandlers } from './par/par.routes.ts'
import { registrationHandlers } from './registration/registration.routes.ts'
import { deleteUnusedApplications } from './registration/registration.store.ts'
import { resourcesHandlers } from './resources/resources.routes.ts'
import { endResourcesOf } from './resources/resources.steps.ts'
import { purgeResources } from './resources/resources.store.ts'
import { revocationHandlers } from './revocation/revocation.routes.ts'
import { servicesHandlers } from './services/services.routes.ts'
import { tokenHandlers } from './token/token.routes.ts'
import { userinfoHandlers } from './userinfo/userinfo.routes.ts'
import { vaultHandlers } from './vault/vault.routes.ts'

/** Signs users in to other applications: OAuth 2.0 and OpenID Connect. */
export const identityProvider = defineFeature({
  name: 'identity-provider',
  steps: {
    sessionIssued: resumeAuthorization,
    recording: (scope, type, rows) => [
      ...releaseLogouts(scope, type, rows),
      ...feedVoidedTokens(scope, type, rows),
      ...endResourcesOf(scope, type, rows),
    ],
  },
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
    ...connectionsHandlers,
    ...agentsHandlers,
    ...overviewHandlers,
    ...resourcesHandlers,
    ...servicesHandlers,
    ...vaultHandlers,
    ...approvalsHandlers,
  }),
  operations: { ...identityProviderOperations, ...agentsOperations },
  options: identityProviderOptions,
  // Clients verify its signatures with the keys of this feature.
  on: (options) => jwtOptions.of({ options }).enabled,
  publicConfiguration: (scope): OptionalPublicConfiguration => ({
    features: {
      identityProvider: true,
      ...(identityProviderOptions.of(scope).resourcesPerOrganization > 0 ? { organizationResources: true } : {}),
    },
  }),
  // An earlier owner without a proof of the address must not keep connections.
  endingAccess: (scope, userId, when) => ({
    statements: [...endTokens(scope, ofUserWhen(userId, when)), ...endConnectionsOf(scope.db, userId, when)],
  }),
  endingApplications: (scope, userId) => [...endTokens(scope, ofUser(userId)), ...endApplicationsOf(scope.db, userId)],
  endingCredentials: (scope, which) => [
    ...endTokens(scope, ofCredentials(which)),
    eraseTokens(scope.db, ofCredentials(which)),
  ],
  jobs: { ...logoutJobs, ...approvalJobs, ...endedTokenJobs },
  // The salt of pairwise subjects, and the secrets of notifications.
  sealed: [
    { table: storedSecrets, column: storedSecrets.value },
    { table: approvalRequests, column: approvalRequests.notificationToken },
  ],
  async scheduled(scope) {
    const { unusedClientLifetime } = identityProviderOptions.of(scope)
    const work = unitOfWork(scope)
    work.add(releaseExpired(scope.db, scope.now()))
    work.run(deleteExpiredTokens(scope.db, scope.now()))
    work.run(deleteExpiredServiceTokens(scope.db, scope.now()))
    work.run(deleteOldRequests(scope.db, after(scope.now(), -days(30))))
    work.add(deleteOldAgents(scope.db, after(scope.now(), -days(30))))
    work.add(purgeResources(scope.db, after(scope.now(), -days(1))))
    work.add(deleteUnusedApplications(scope.db, after(scope.now(), -unusedClientLifetime), scope.now()))
    await work.commit()
    // Stored soon after an upgrade, while the secret of the pairwise subjects is still configured.
    await pairwiseSalt(scope)
  },
})
