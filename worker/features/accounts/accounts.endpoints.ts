import { defineEndpoints } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { listAccounts } from '../../identity/accounts/accounts.store.ts'
import { pageOf } from '../../kit/page.ts'
import { accountsContract } from './accounts.contract.ts'
import { presentAccounts, unlinkAccount } from './accounts.ts'

export const accountsEndpoints = defineEndpoints({
  routes: routes(accountsContract, {
    listAccounts: reading(
      ({ scope, own, query }) => ({ accounts: listAccounts(scope.db, own.userId, pageOf(query)) }),
      (_call, { accounts }) => presentAccounts(accounts),
    ),
    unlinkAccount: async ({ scope, caller, body }) => {
      await unlinkAccount(scope, caller, body)
      return { status: true }
    },
  }),
})
