import { reading, routes } from '../../http/routes.ts'
import { membershipQuery } from '../organization/model/membership.store.ts'
import { foundMembership } from '../organization/model/membership.ts'
import { ssoConnectionsContract } from './connections/connections.contract.ts'
import { connectionHandlers } from './connections/connections.routes.ts'
import { ssoDomainsContract } from './domains/domains.contract.ts'
import { domainHandlers } from './domains/domains.routes.ts'
import { ssoLogoutContract } from './logout/logout.contract.ts'
import { ssoLogoutHandlers } from './logout/logout.routes.ts'
import { asManager } from './model/as-manager.ts'
import { managing, requireMay } from './model/managers.ts'
import { settingsForMember } from './model/model.store.ts'
import { policyContract } from './policy/policy.contract.ts'
import { updatePolicy } from './policy/policy.ts'
import { presentSettings } from './present-settings.ts'
import { ssoSetupContract } from './setup/setup.contract.ts'
import { setupHandlers } from './setup/setup.routes.ts'
import { checkSetupLink } from './setup/setup.ts'
import { ssoSignInContract } from './sign-in/sign-in.contract.ts'
import { ssoSignInHandlers } from './sign-in/sign-in.routes.ts'
import { startTest } from './sign-in/sign-in.ts'

export const enterpriseRoutes = routes(
  {
    ...ssoConnectionsContract,
    ...ssoDomainsContract,
    ...policyContract,
    ...ssoSetupContract,
    ...ssoSignInContract,
    ...ssoLogoutContract,
  },
  {
    ssoSettings: reading(
      ({ scope, own, query }) => {
        const key = { id: query.organizationId || own.ofSession('activeOrganizationId') }
        return {
          memberships: membershipQuery(scope.db, own.userId, key),
          ...settingsForMember(scope.db, own.userId, key),
        }
      },
      ({ scope, caller, query }, { memberships: [found], ...rows }) => {
        requireMay(scope, foundMembership(scope, caller, query.organizationId, found, managing), 'read')
        return presentSettings(scope, rows)
      },
    ),
    ...connectionHandlers,
    testSsoConnection: asManager(async (scope, manager, body) => ({
      url: await startTest(scope, manager, body),
      redirect: true,
    })),
    ...domainHandlers,
    updateSignInPolicy: asManager((scope, manager, body) => updatePolicy(scope, manager, body)),
    ...setupHandlers,
    ...ssoSignInHandlers,
    ...ssoLogoutHandlers,
  },
  { 'setup-link': checkSetupLink },
)
