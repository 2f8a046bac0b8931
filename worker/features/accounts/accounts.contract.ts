import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { statusAnswer } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { accountErrors as errors } from './accounts.errors.ts'

export const accountsContract = {
  listAccounts: endpoint({
    method: 'GET',
    path: '/list-accounts',
    summary: "The user's ways in: a password, and identities at providers",
    access: 'session',
    answer: z.array(
      z.object({
        id: z.string(),
        provider: z.string(),
        createdAt: z.date(),
        updatedAt: z.date(),
        accountId: z.string(),
        scopes: z.array(z.string()),
      }),
    ),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  unlinkAccount: endpoint({
    method: 'POST',
    path: '/unlink-account',
    summary: 'Removes a way in, but not the last one',
    access: 'fresh-session',
    body: z.object({ providerId: z.string().max(256), accountId: z.string().max(1024).optional() }),
    answer: statusAnswer,
    errors: [
      core.UNAUTHORIZED,
      core.SESSION_IS_NOT_FRESH,
      errors.ACCOUNT_NOT_FOUND,
      errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT,
    ],
    budget: { d1: 3 },
    changes: ['account'],
  }),
}
