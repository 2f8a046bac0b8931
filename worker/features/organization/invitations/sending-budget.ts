import { messageOptions } from '../../../identity/messages/messages.ts'
import type { Scope } from '../../../identity/scope.ts'
import { spendGuess } from '../../../identity/verifications/guesses.ts'
import { days } from '../../../kit/time.ts'
import { addressBucket } from '../../../platform/client-address.ts'
import { organizationOptions } from '../membership/membership.config.ts'

/**
 * Sends an invitation within the budgets of inviter, organization, address and deployment, because it is a mail to any
 * address. A failed one is given back. @throws TOO_MANY_REQUESTS; Fault when a budget is unreachable
 */
export async function withinSendingBudget<T>(
  scope: Scope,
  { userId, organizationId }: { userId: string; organizationId: string },
  send: () => Promise<T>,
): Promise<T> {
  const { invitationsPerPerson, invitationsPerOrganization, invitationsPerAddress } = organizationOptions.of(scope)
  const { mailsToOthersPerDay: max } = messageOptions.of(scope)
  const spent = await Promise.allSettled([
    spendGuess(scope, `invitations:person:${userId}`, invitationsPerPerson),
    spendGuess(scope, `invitations:organization:${organizationId}`, invitationsPerOrganization),
    spendGuess(scope, `invitations:address:${addressBucket(scope.request.ip)}`, invitationsPerAddress),
    spendGuess(scope, 'mails-to-others', { max, window: days(1) }),
  ])
  try {
    for (const one of spent) if (one.status === 'rejected') throw one.reason
    return await send()
  } catch (thrown) {
    for (const one of spent) if (one.status === 'fulfilled') scope.after(() => one.value.giveBack())
    throw thrown
  }
}
