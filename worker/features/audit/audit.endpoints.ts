import { defineEndpoints } from '../../http/feature.ts'
import { answerFile } from '../../http/file-response.ts'
import { reading, routes } from '../../http/routes.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { accessReviewContract } from './access-review/access-review.contract.ts'
import {
  credentialReads,
  memberReads,
  reviewedCredentials,
  reviewedMembers,
  reviewPages,
} from './access-review/access-review.ts'
import { reviewFileOf } from './access-review/access-review-file.ts'
import { auditLogContract } from './audit.contract.ts'
import {
  organizationPages,
  ownCheckpointReads,
  ownCheckpoints,
  ownPage,
  ownPageReads,
  requireReader,
  watchRecords,
} from './audit.ts'
import { fileFormatOf } from './audit-file.ts'
import { auditStreamsContract } from './streams/streams.contract.ts'
import {
  createStream,
  deleteStream,
  listStreams,
  requireStreamManager,
  streamReads,
  testStream,
  updateStream,
} from './streams/streams.ts'

export const auditEndpoints = defineEndpoints({
  routes: routes(
    { ...auditLogContract, ...accessReviewContract, ...auditStreamsContract },
    {
      listOrganizationAudit: reading(
        ({ scope, own, query }) => ownPageReads(scope, own, query),
        ({ scope, caller, query }, rows) => ownPage(scope, caller, query, rows),
      ),
      listOrganizationCheckpoints: reading(
        ({ scope, own, query }) => ownCheckpointReads(scope, own, query),
        ({ scope, caller, query }, rows) => ownCheckpoints(scope, caller, query, rows),
      ),
      watchOrganizationAudit: ({ scope, caller, query, request }) => watchRecords(scope, caller, query, request),
      exportOrganizationAudit: async ({ scope, caller, body: { organizationId: given, format, ...filter } }) => {
        const organizationId = await requireReader(scope, caller, given)
        return answerFile(scope, fileFormatOf(format), organizationPages(scope, organizationId, filter), async () => {
          const work = unitOfWork(scope)
          work.audit({ subjectType: 'organization', subjectId: organizationId, after: { ...filter, format } })
          await work.commit()
        })
      },
      listAccessReview: reading(
        ({ scope, own, query }) => memberReads(scope, own, query),
        ({ scope, caller, query }, rows) => reviewedMembers(scope, caller, query, rows),
      ),
      listAccessReviewCredentials: reading(
        ({ scope, own, query }) => credentialReads(scope, own, query),
        ({ scope, caller, query }, rows) => reviewedCredentials(scope, caller, query, rows),
      ),
      exportAccessReview: async ({ scope, caller, body: { organizationId: given, format } }) => {
        const organizationId = await requireReader(scope, caller, given)
        return answerFile(scope, reviewFileOf(format), reviewPages(scope, organizationId), async () => {
          const work = unitOfWork(scope)
          work.audit({ subjectType: 'organization', subjectId: organizationId, after: { format } })
          await work.commit()
        })
      },
      listAuditStreams: reading(
        ({ scope, own, query }) => streamReads(scope, own, query.organizationId),
        ({ scope, caller, query }, rows) => listStreams(scope, caller, query.organizationId, rows),
      ),
      createAuditStream: async ({ scope, caller, body }) =>
        createStream(scope, await requireStreamManager(scope, caller, body.organizationId), body),
      updateAuditStream: async ({ scope, caller, body }) =>
        updateStream(scope, await requireStreamManager(scope, caller, body.organizationId), body),
      deleteAuditStream: async ({ scope, caller, body }) => {
        await deleteStream(scope, await requireStreamManager(scope, caller, body.organizationId), body.streamId)
        return { success: true as const }
      },
      testAuditStream: async ({ scope, caller, body }) => {
        const manager = await requireStreamManager(scope, caller, body.organizationId)
        return { failure: await testStream(scope, caller, manager, body.streamId) }
      },
    },
  ),
})
