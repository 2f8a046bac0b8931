import { defineFeature } from '../../http/feature.ts'
import { answerFile } from '../../http/file-response.ts'
import { reading, routes } from '../../http/routes.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { organizationOptions } from '../organization/membership/membership.config.ts'
import { auditLogContract } from './audit.contract.ts'
import { organizationPages, ownCheckpointReads, ownCheckpoints, ownPage, ownPageReads, requireReader } from './audit.ts'
import { fileOf } from './audit-file.ts'

/** The audit log for those whom it protects: owners and administrators of an organization. */
export const audit = defineFeature({
  name: 'audit',
  on: (options) => organizationOptions.of({ options }).enabled,
  routes: routes(auditLogContract, {
    listOrganizationAudit: reading(
      ({ scope, own, query }) => ownPageReads(scope, own, query),
      ({ scope, caller, query }, rows) => ownPage(scope, caller, query, rows),
    ),
    listOrganizationCheckpoints: reading(
      ({ scope, own, query }) => ownCheckpointReads(scope, own, query),
      ({ scope, caller, query }, rows) => ownCheckpoints(scope, caller, query, rows),
    ),
    exportOrganizationAudit: async ({ scope, caller, body: { organizationId: given, format, ...filter } }) => {
      const organizationId = await requireReader(scope, caller, given)
      return answerFile(scope, fileOf(format), organizationPages(scope, organizationId, filter), async () => {
        const work = unitOfWork(scope)
        work.audit({ subjectType: 'organization', subjectId: organizationId, after: { ...filter, format } })
        await work.commit()
      })
    },
  }),
})
