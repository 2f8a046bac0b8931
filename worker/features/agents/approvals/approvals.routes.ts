import { type Handlers, reading } from '../../../http/routes.ts'
import { pageOf } from '../../../kit/page.ts'
import { readResources } from '../../identity-provider/model/protocol/known-resources.ts'
import { noStore } from '../../identity-provider/model/protocol/responses.ts'
import { answerApproval, presentRequest } from './answer-approval.ts'
import type { approvalsContract } from './approvals.contract.ts'
import { selectRequests } from './approvals.store.ts'
import { requestApproval } from './request-approval.ts'

export const approvalsHandlers: Handlers<typeof approvalsContract> = {
  requestApproval: async ({ scope, request, raw }) => noStore(await requestApproval(scope, request, raw)),
  listApprovals: reading(
    ({ scope, own, query }) => ({
      requests: selectRequests(scope.db, own.userId, { ...pageOf(query), clientId: query.clientId }),
    }),
    async ({ scope }, { requests }) => {
      await readResources(scope)
      return requests.map((row) => presentRequest(scope, row))
    },
  ),
  approve: async ({ scope, caller, body }) => {
    await answerApproval(scope, caller, { id: body.id, accept: true })
    return { status: true }
  },
  deny: async ({ scope, caller, body }) => {
    await answerApproval(scope, caller, { id: body.id, accept: false })
    return { status: true }
  },
}
