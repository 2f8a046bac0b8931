import { routes } from '../../http/routes.ts'
import { accountsContract } from './accounts.contract.ts'
import { listOwnAccounts, unlinkAccount } from './accounts.ts'

export const accountsRoutes = routes(accountsContract, {
  listAccounts: ({ scope, caller }) => listOwnAccounts(scope, caller),
  unlinkAccount: async ({ scope, caller, body }) => {
    await unlinkAccount(scope, caller, body)
    return { status: true }
  },
})
