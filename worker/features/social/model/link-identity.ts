import { accountOptions } from '../../../identity/accounts/accounts.config.ts'
import { proveAddress } from '../../../identity/accounts/prove-address.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { Overtaken, unitOfWork } from '../../../identity/unit-of-work.ts'
import { addIdentity, findKnown, TooManyAccounts } from './identities.store.ts'
import { sealTokens } from './sealed-tokens.ts'
import { addInfo, type ProvenIdentity, recordLink } from './sign-in-by-identity.ts'

/** The outcome of linking an identity to a signed-in user. */
export type Linked =
  | { kind: 'linked'; user: User }
  | { kind: 'refused'; reason: 'account_already_linked_to_different_user' | 'unable_to_link_account' }

/**
 * Links an identity to the signed-in user who requested it. Both are proven, so no address is needed. If the identity's
 * verified address is the user's, it counts as proven in a browser that has the user's session.
 */
export async function linkIdentity(
  scope: Scope,
  { user, session }: Caller,
  { providerId, person, tokens }: ProvenIdentity,
): Promise<Linked> {
  const { enabled, updateUserInfoOnLink } = accountOptions.of(scope).accountLinking
  if (!enabled) return { kind: 'refused', reason: 'unable_to_link_account' }
  const sealed = await sealTokens(scope, tokens)
  const work = unitOfWork(scope)
  const provesAddress = person.emailVerified && person.email === user.email
  const proven = provesAddress ? proveAddress(scope, work, user, 'keep') : user
  const identity = { providerId, accountId: person.id }
  recordLink(scope, work, user, identity, session.id)
  addIdentity(scope, work, user, identity, sealed)
  const linked = await addInfo(scope, work, proven, updateUserInfoOnLink ? person : null)
  try {
    await work.commit()
  } catch (thrown) {
    if (thrown instanceof TooManyAccounts) return { kind: 'refused', reason: 'unable_to_link_account' }
    if (!(thrown instanceof Overtaken)) throw thrown
    const { account } = await findKnown(scope.db, providerId, person.id, user.email)
    const isAnothers = account !== null && account.user.id !== user.id
    return {
      kind: 'refused',
      reason: isAnothers ? 'account_already_linked_to_different_user' : 'unable_to_link_account',
    }
  }
  return { kind: 'linked', user: linked }
}
