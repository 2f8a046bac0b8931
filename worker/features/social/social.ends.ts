import { defineEnds } from '../../http/feature.ts'
import { providersOpen } from '../../identity/accounts/ways-in.ts'
import { accounts } from '../../identity/model/accounts.table.ts'
import { configuredIds } from './public-providers.ts'

export const socialEnds = defineEnds({
  keeps: { wayIn: (scope, userId) => providersOpen(scope, userId, configuredIds(scope)) },
  stored: {
    sealed: [accounts.accessToken, accounts.refreshToken, accounts.idToken].map((column) => ({
      table: accounts,
      column,
    })),
  },
})
