import { messageOptions } from '../../../identity/messages/messages.config.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { basePath } from '../../../identity/settings.ts'
import { coreErrors } from '../../../identity/users/users.errors.ts'
import { spendGuess } from '../../../identity/verifications/guesses.ts'
import { AppError } from '../../../kit/errors.ts'
import { days } from '../../../kit/time.ts'
import { addressBucket } from '../../../platform/client-address.ts'
import { organizationOptions } from '../model/organization.config.ts'

/** With the endpoint that mails a verification link. */
export const addressNotVerified = ({ settings }: Scope) =>
  coreErrors.EMAIL_NOT_VERIFIED({
    extra: { verifyWith: `POST ${settings.baseUrl}${basePath}/send-verification-email` },
  })

/**
 * Sends an invitation within the budgets of inviter, organization, address and deployment, because it is a mail to any
 * address. A failed one is given back. @throws TOO_MANY_REQUESTS; EMAIL_NOT_VERIFIED; Fault when a budget is unreachable
 */
export async function withinSendingBudget<T>(
  scope: Scope,
  { inviter, organizationId }: { inviter: Pick<User, 'id' | 'emailVerified'>; organizationId: string },
  send: () => Promise<T>,
): Promise<T> {
  const { invitationsPerPerson, invitationsPerOrganization, invitationsPerAddress, unverifiedInvitationsPerPerson } =
    organizationOptions.of(scope)
  const { mailsToOthersPerDay: max } = messageOptions.of(scope)
  const spent = await Promise.allSettled([
    spendGuess(scope, `invitations:person:${inviter.id}`, invitationsPerPerson),
    spendGuess(scope, `invitations:organization:${organizationId}`, invitationsPerOrganization),
    spendGuess(scope, `invitations:address:${addressBucket(scope.request.ip)}`, invitationsPerAddress),
    spendGuess(scope, 'mails-to-others', { max, window: days(1) }),
    ...(inviter.emailVerified
      ? []
      : [
          spendGuess(scope, `invitations:unverified:${inviter.id}`, unverifiedInvitationsPerPerson).catch((thrown) => {
            throw thrown instanceof AppError ? addressNotVerified(scope) : thrown
          }),
        ]),
  ])
  try {
    for (const one of spent) if (one.status === 'rejected') throw one.reason
    return await send()
  } catch (thrown) {
    for (const one of spent) if (one.status === 'fulfilled') scope.after(() => one.value.giveBack())
    throw thrown
  }
}
