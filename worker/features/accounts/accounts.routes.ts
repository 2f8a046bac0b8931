import { reading, routes } from '../../http/routes.ts'
import { listAccounts } from '../../identity/accounts/accounts.store.ts'
import { accountsContract } from './accounts.contract.ts'
import { presentAccounts, unlinkAccount } from './accounts.ts'

export const accountsRoutes = routes(accountsContract, {
  listAccounts: reading(
    ({ scope, own }) => [listAccounts(scope.db, own.userId)],
    (_call, [accounts]) => presentAccounts(accounts),
  ),
  unlinkAccount: async ({ scope, caller, body }) => {
    await unlinkAccount(scope, caller, body)
    return { status: true }
  },
})
