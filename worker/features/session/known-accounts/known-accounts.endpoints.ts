import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { knownAccountsContract } from './known-accounts.contract.ts'
import { chooseKnownAccount, forgetKnownAccounts, listKnownAccounts } from './known-accounts.ts'

export const knownAccountsEndpoints = defineEndpoints({
  routes: routes(knownAccountsContract, {
    listKnownAccounts: async ({ scope }) => ({ accounts: await listKnownAccounts(scope) }),
    chooseKnownAccount: ({ scope, body }) => chooseKnownAccount(scope, body.id),
    forgetKnownAccounts: async ({ scope, body }) => {
      await forgetKnownAccounts(scope, body.id)
      return { status: true }
    },
  }),
})
