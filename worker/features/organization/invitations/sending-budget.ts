import type { Scope } from '../../../identity/scope.ts'
import { spendGuess } from '../../../identity/verifications/guesses.ts'
import { organizationOptions } from '../membership/membership.config.ts'

/**
 * Does what sends an invitation, within the budgets of its sender: invitations are mails to strangers in our name, so
 * one person sends so many, and so many go out from one organization. One that is not sent costs nothing.
 * @throws TOO_MANY_REQUESTS with X-Retry-After; Fault when a budget cannot be asked; what `send` throws
 */
export async function withinSendingBudget<T>(
  scope: Scope,
  { userId, organizationId }: { userId: string; organizationId: string },
  send: () => Promise<T>,
): Promise<T> {
  const { invitationsPerPerson, invitationsPerOrganization } = organizationOptions.of(scope)
  const spent = await Promise.allSettled([
    spendGuess(scope, `invitations:person:${userId}`, invitationsPerPerson),
    spendGuess(scope, `invitations:organization:${organizationId}`, invitationsPerOrganization),
  ])
  try {
    for (const one of spent) if (one.status === 'rejected') throw one.reason
    return await send()
  } catch (thrown) {
    for (const one of spent) if (one.status === 'fulfilled') scope.after(() => one.value.giveBack())
    throw thrown
  }
}
