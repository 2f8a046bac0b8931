import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { statusAnswer } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { listOf, pageQuery } from '../../kit/page.ts'
import { accountErrors as errors } from './accounts.errors.ts'

export const accountsContract = {
  listAccounts: get('/list-accounts', {
    summary: 'Lists the accounts of the user: a password and linked provider identities',
    access: 'session',
    input: { query: z.object(pageQuery) },
    answer: listOf(
      z.object({
        id: z.string(),
        provider: z.string(),
        createdAt: z.date(),
        updatedAt: z.date(),
        accountId: z.string(),
        scopes: listOf(z.string()),
      }),
    ),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 1100 },
    changes: [],
    reads: { replica: true },
  }),
  unlinkAccount: post('/unlink-account', {
    summary: 'Unlinks an account; rejects the last sign-in method',
    access: 'recent-authentication',
    input: { body: z.object({ providerId: z.string().max(256), accountId: z.string().max(1024).optional() }) },
    answer: statusAnswer,
    errors: [
      core.UNAUTHORIZED,
      core.SESSION_IS_NOT_FRESH,
      errors.ACCOUNT_NOT_FOUND,
      errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT,
      core.LAST_WAY_TO_SIGN_IN,
    ],
    budget: { d1: 3 },
    changes: ['account'],
    audit: 'unlink-account',
    limits: { creates: 'ends' },
  }),
}
