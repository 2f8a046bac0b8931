import { accounts } from '../../identity/model/accounts.table.ts'
import type { FeatureCases } from '../../testing/cases.ts'
import { env } from '../../testing/harness.ts'
import { insertion } from '../../testing/insertion.ts'
import { acquaintance } from '../../testing/set-ups.ts'

export const cases: FeatureCases = {
  faults: {
    'a way in is taken away': {
      endpoint: 'POST /unlink-account',
      before: async (app, person) => {
        const { id, device } = await acquaintance(app, person)
        const insert = `insert into accounts (id, provider_id, account_id, user_id, created_at, updated_at)
        values (?1 || ?2, ?2, ?1, ?1, 1, 1)`
        await env.DB.batch(['reddit', 'google', 'github'].map((provider) => env.DB.prepare(insert).bind(id, provider)))
        return { device }
      },
      input: () => ({ providerId: 'google' }),
      afterwards: ['ACCOUNT_NOT_FOUND'],
    },
  },
  growth: {
    accounts: {
      list: '/list-accounts',
      rows: (userId, n) => [
        insertion(accounts, {
          id: `a${n}`,
          userId,
          providerId: 'google',
          accountId: `g${n}`,
          createdAt: new Date(n),
          updatedAt: new Date(n),
        }),
      ],
    },
  },
}
