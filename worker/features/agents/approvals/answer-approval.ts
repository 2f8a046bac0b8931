import { notifyTabs } from '../../../identity/notify-tabs.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { identityProviderErrors as errors } from '../../identity-provider/identity-provider.errors.ts'
import { authenticationOf, reachesClass } from '../../identity-provider/model/protocol/authentication.ts'
import { detailWords } from '../../identity-provider/model/protocol/authorization-details.ts'
import { words } from '../../identity-provider/model/protocol/parameters.ts'
import { scopeWords } from '../../identity-provider/model/protocol/resources.ts'
import { pingKind } from './approval-jobs.ts'
import { recordAnswer, selectWaiting } from './approvals.store.ts'
import type { ApprovalRequest } from './approvals.table.ts'

/** What the user sees of a request. */
export const presentRequest = (scope: Scope, row: ApprovalRequest) => ({
  id: row.id,
  client: { clientId: row.clientId, name: row.clientName },
  scopes: words(row.scopes),
  scopeWords: scopeWords(scope, words(row.scopes)),
  authorizationDetails: detailWords(scope, row.authorizationDetails),
  resource: row.resource,
  bindingMessage: row.bindingMessage,
  origin: { ipAddress: row.ipAddress, place: { city: row.city, country: row.country } },
  state: row.state === 'pending' && row.expiresAt <= scope.now() ? ('expired' as const) : row.state,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  answeredAt: row.answeredAt,
})

/**
 * The answer of a user, once. An approval stores the authentication of its session, as a code does.
 * @throws APPROVAL_NOT_FOUND for a request of another user, and for one that is answered or expired;
 *   APPROVAL_NEEDS_SECOND_FACTOR if the client requires a stronger authentication
 */
export async function answerApproval(
  scope: Scope,
  { user, session }: Caller,
  { id, accept }: { id: string; accept: boolean },
): Promise<void> {
  const now = scope.now()
  const [found] = await selectWaiting(scope.db, id, user.id, now)
  if (!found) throw errors.APPROVAL_NOT_FOUND()
  const { authTime, amr, isGuest } = authenticationOf(session, user)
  if (accept && !reachesClass({ authTime, amr, isGuest }, found.acrValues ?? undefined)) {
    throw errors.APPROVAL_NEEDS_SECOND_FACTOR()
  }
  const { securityVersion } = user
  const approval = {
    state: 'approved',
    sessionId: session.id,
    securityVersion,
    authTime: new Date(authTime),
    amr,
    method: session.method,
  } as const
  const changes = accept ? approval : ({ state: 'denied' } as const)
  const work = unitOfWork(scope)
  work.run(recordAnswer(scope.db, id, user.id, { now, changes })).orFail(errors.APPROVAL_NOT_FOUND)
  const after = { accepted: accept, clientId: found.clientId, scopes: found.scopes }
  work.audit({ subjectType: 'approval', subjectId: id, after })
  if (found.notificationToken !== null) work.defer(`${pingKind}/${found.clientId}`, { id }, { plain: true })
  await work.commit()
  notifyTabs(scope, user.id, 'approvals')
}
