import { routes } from '../../http/routes.ts'
import { ssoConnectionsContract } from './connections/connections.contract.ts'
import { connectionHandlers } from './connections/connections.routes.ts'
import { ssoDomainsContract } from './domains/domains.contract.ts'
import { domainHandlers } from './domains/domains.routes.ts'
import { ssoLogoutContract } from './logout/logout.contract.ts'
import { logoutHandlers } from './logout/logout.routes.ts'
import { managed } from './model/managed.ts'
import { policyContract } from './policy/policy.contract.ts'
import { updatePolicy } from './policy/policy.ts'
import { ssoSetupContract } from './setup/setup.contract.ts'
import { setupHandlers } from './setup/setup.routes.ts'
import { checkSetupLink } from './setup/setup.ts'
import { ssoSignInContract } from './sign-in/sign-in.contract.ts'
import { signInHandlers } from './sign-in/sign-in.routes.ts'

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
    ...connectionHandlers,
    ...domainHandlers,
    updateSignInPolicy: managed((scope, manager, body) => updatePolicy(scope, manager, body)),
    ...setupHandlers,
    ...signInHandlers,
    ...logoutHandlers,
  },
  { 'setup-link': checkSetupLink },
)
