import { defineParts } from '../../http/feature.ts'
import { sendCertificateNotices } from './connections/certificate-notices.ts'
import { refreshMetadata } from './connections/metadata.ts'
import { checkDomains } from './domains/domains.ts'
import { applyPolicy } from './policy/apply-policy.ts'
import { endOneFactorSessions, manageNewMembers } from './policy/end-sessions.store.ts'
import { deleteExpiredLinks } from './setup/setup.store.ts'

export const enterpriseParts = defineParts({
  steps: { signingIn: applyPolicy, recording: manageNewMembers },
  cron: {
    scheduled: async (scope) => {
      await checkDomains(scope)
      await refreshMetadata(scope)
      await sendCertificateNotices(scope)
      await endOneFactorSessions(scope)
      await deleteExpiredLinks(scope.db, scope.now())
    },
  },
})
