import { type Handlers, reading } from '../../../http/routes.ts'
import { listAccounts } from '../../../identity/accounts/accounts.store.ts'
import { selectProviderGrants } from '../../identity-provider/model/grants/provider-grants.store.ts'
import { words } from '../../identity-provider/model/protocol/parameters.ts'
import { scopesOfAccount } from '../../social/model/sealed-tokens.ts'
import { offeredScopes, providerNameOf, scopeWordsOfProviders } from './offered.ts'
import type { vaultContract } from './vault.contract.ts'
import { allowProvider, endProvider } from './vault.ts'

export const vaultHandlers: Handlers<typeof vaultContract> = {
  agentProviders: reading(
    ({ scope, own }) => ({
      accounts: listAccounts(scope.db, own.userId),
      grants: selectProviderGrants(scope.db, own.userId),
    }),
    ({ scope }, { accounts, grants }) => ({
      accounts: accounts.flatMap((account) => {
        const { id, providerId } = account
        const offered = offeredScopes(scope, providerId)
        const scopes = scopesOfAccount(account)
        if (!offered || scopes.length === 0) return []
        const withheld = scopes.filter((one) => !offered.includes(one))
        return [{ id, providerId, name: providerNameOf(scope, providerId) ?? providerId, scopes, withheld }]
      }),
      words: scopeWordsOfProviders(scope),
      grants: grants.map((grant) => ({
        ...grant,
        name: providerNameOf(scope, grant.providerId) ?? grant.providerId,
        scopes: words(grant.scopes),
      })),
    }),
  ),
  allowProvider: async ({ scope, caller, body }) => {
    await allowProvider(scope, caller, body)
    return { status: true }
  },
  endProvider: async ({ scope, caller, body }) => {
    await endProvider(scope, caller.user.id, body.clientId, body.providerId)
    return { status: true }
  },
}
