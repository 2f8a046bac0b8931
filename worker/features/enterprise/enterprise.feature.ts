import { defineFeature } from '../../http/feature.ts'
import { sendCertificateNotices } from './connections/certificate-notices.ts'
import { refreshMetadata } from './connections/metadata.ts'
import { checkDomains } from './domains/domains.ts'
import { enterpriseIsOn, enterpriseOptions } from './enterprise.config.ts'
import { enterpriseOperations } from './enterprise.operations.ts'
import { enterpriseRoutes } from './enterprise.routes.ts'
import { connections } from './model/connections.table.ts'
import { applyPolicy } from './policy/apply-policy.ts'
import { endOneFactorSessions, manageNewMembers } from './policy/end-sessions.store.ts'
import { forbids } from './policy/forbids.store.ts'
import { deleteExpiredLinks } from './setup/setup.store.ts'
import { connectionOpens } from './sign-in/sign-in.store.ts'

/** Single sign-on of organizations: connections, verified domains, rules for sign-ins. */
export const enterprise = defineFeature({
  name: 'enterprise',
  steps: { signingIn: applyPolicy, recording: manageNewMembers },
  forbids,
  routes: enterpriseRoutes,
  operations: enterpriseOperations,
  options: enterpriseOptions,
  on: enterpriseIsOn,
  publicConfiguration: () => ({ features: { singleSignOn: true as const } }),
  keepsWayIn: connectionOpens,
  sealed: [
    { table: connections, column: connections.secret },
    { table: connections, column: connections.draftSecret },
    { table: connections, column: connections.ownKeys },
  ],
  scheduled: async (scope) => {
    await checkDomains(scope)
    await refreshMetadata(scope)
    await sendCertificateNotices(scope)
    await endOneFactorSessions(scope)
    await deleteExpiredLinks(scope.db, scope.now())
  },
})
