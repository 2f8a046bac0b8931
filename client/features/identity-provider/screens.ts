import { member, visitor } from '../../lib/screens.ts'

export default [
  visitor('/consent', () => import('./consent.tsx'), 'identityProvider'),
  visitor('/device', () => import('./device.tsx'), 'identityProvider'),
  visitor('/sign-out/application', () => import('./sign-out.tsx'), 'identityProvider'),
  member('/step-up', () => import('./step-up.tsx'), 'identityProvider'),
  member('/account/connections', () => import('./connections.tsx'), 'identityProvider'),
  member('/account/approvals', () => import('./approvals.tsx'), 'identityProvider'),
  member('/account/agents', () => import('./agents.tsx'), 'identityProvider'),
  member('/organization/agents', () => import('./organization-agents.tsx'), 'identityProvider'),
  member('/organization/resources', () => import('./organization-resources.tsx'), 'organizationResources'),
  member('/admin/agents', () => import('./all-agents.tsx'), 'identityProvider'),
  member('/admin/resources', () => import('./resources.tsx'), 'identityProvider'),
  member('/developers/clients', () => import('./clients.tsx'), 'identityProvider'),
]
