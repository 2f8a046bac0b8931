import { listAccounts } from '../../../identity/accounts/accounts.store.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { newId } from '../../../kit/random.ts'
import { identityProviderErrors as errors } from '../../identity-provider/identity-provider.errors.ts'
import * as store from '../../identity-provider/model/grants/provider-grants.store.ts'
import { scopesOfAccount } from '../../social/model/sealed-tokens.ts'
import { offeredScopes } from './offered.ts'

interface AllowedProvider {
  clientId: string
  accountId: string
  scopes: readonly string[]
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  new Set([...some, ...others]).size === new Set(some).size && some.every((one) => others.includes(one))

/**
 * The caller lets an agent use the tokens of a linked account. An access token cannot be divided, so the grant covers
 * exactly the scopes that the account has.
 * @throws AGENT_NOT_FOUND for an agent that does not act for the caller; AGENT_ACCOUNT_NOT_FOUND;
 *   AGENT_PROVIDER_NOT_OFFERED; AGENT_PROVIDER_SCOPES_CHANGED
 */
export async function allowProvider(
  scope: Scope,
  { user }: Caller,
  { clientId, accountId, scopes }: AllowedProvider,
): Promise<void> {
  const account = (await listAccounts(scope.db, user.id)).find(({ id }) => id === accountId)
  if (!account) throw errors.AGENT_ACCOUNT_NOT_FOUND()
  const { providerId } = account
  const offered = offeredScopes(scope, providerId)
  const held = scopesOfAccount(account)
  if (!offered || held.length === 0 || held.some((one) => !offered.includes(one))) {
    throw errors.AGENT_PROVIDER_NOT_OFFERED()
  }
  if (!isSame(held, scopes)) throw errors.AGENT_PROVIDER_SCOPES_CHANGED()
  const work = unitOfWork(scope)
  work.require(store.mayActFor(clientId, user.id), errors.AGENT_NOT_FOUND)
  work.require(store.accountHasScopes(user.id, accountId, account.scope!), errors.AGENT_PROVIDER_SCOPES_CHANGED)
  work.run(
    store.putProviderGrant(scope.db, {
      id: newId(),
      ...{ clientId, userId: user.id, accountId, providerId },
      scopes: held.join(' '),
      createdAt: scope.now(),
      lastUsedAt: null,
    }),
  )
  work.audit({ subjectType: 'oauth-client', subjectId: clientId, after: { provider: providerId, scopes: held } })
  await work.commit()
}

/** @throws CONNECTION_NOT_FOUND */
export async function endProvider(scope: Scope, userId: string, clientId: string, providerId: string): Promise<void> {
  const work = unitOfWork(scope)
  work.run(store.deleteProviderGrant(scope.db, userId, clientId, providerId)).orFail(errors.CONNECTION_NOT_FOUND)
  work.audit({ subjectType: 'oauth-client', subjectId: clientId, before: { provider: providerId } })
  await work.commit()
}
