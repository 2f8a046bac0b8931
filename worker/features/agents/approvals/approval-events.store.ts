import { eq, sql } from 'drizzle-orm'
import type { ApprovalFacts } from '../../../identity/model/events.ts'
import { users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { userJson } from '../../../identity/users/announce.ts'
import type { Work } from '../../../identity/work.ts'
import { jsonOf } from '../../../platform/json-sql.ts'
import { type ApprovalRequest, approvalRequests } from './approvals.table.ts'

const { id, userId, clientId, clientName, scopes, resource, authorizationDetails } = approvalRequests
const { bindingMessage, createdAt, expiresAt } = approvalRequests
const publicColumns = {
  ...{ id, userId, clientId, clientName, scopes, resource, authorizationDetails, bindingMessage, createdAt, expiresAt },
}

const factsOf = (row: ApprovalRequest): ApprovalFacts =>
  Object.fromEntries(
    Object.keys(publicColumns).map((name) => [name, row[name as keyof ApprovalRequest]]),
  ) as unknown as ApprovalFacts

/** Announces a new request, for webhooks, hooks and open tabs. @param written the row, if it was written */
export const announceApproval = (
  scope: Scope,
  work: Work,
  requestId: string,
  written: () => readonly ApprovalRequest[],
): void =>
  work.announce(
    'approval.requested',
    () => ({
      subject: sql`${users.id}`,
      data: { approval: jsonOf(publicColumns), user: userJson(scope) },
      from: sql`${approvalRequests} inner join ${users} on ${users.id} = ${approvalRequests.userId}`,
      where: eq(approvalRequests.id, requestId),
    }),
    () => written().map(factsOf),
  )
