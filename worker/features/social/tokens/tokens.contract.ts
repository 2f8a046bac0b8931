import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { socialErrors as errors, unsupportedProvider } from '../model/social.errors.ts'

const accountChoice = z.object({
  providerId: z.string().max(256),
  accountId: z.string().max(1024).optional(),
  /** Only server-side callers may name another user; over HTTP the session decides. */
  userId: z.string().max(256).optional(),
})

const accountTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  tokenType: z.string().optional(),
  accessTokenExpiresAt: z.date().optional(),
  refreshTokenExpiresAt: z.date().optional(),
  scopes: listOf(z.string()),
  idToken: z.string().optional(),
})

export const tokensContract = {
  getAccessToken: post('/get-access-token', {
    summary: 'Returns the access token of a linked account, refreshed if it is about to expire',
    access: 'own-session',
    input: { body: accountChoice },
    answer: accountTokens,
    errors: [
      core.UNAUTHORIZED,
      unsupportedProvider,
      errors.ACCOUNT_NOT_FOUND,
      errors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN,
    ],
    budget: { d1: 13, kv: 2, durable: 6, outside: 3 },
    changes: ['account'],
    audit: 'get-access-token',
    limits: { whenFull: 'signs-in', creates: false },
  }),
  refreshToken: post('/refresh-token', {
    summary: 'Refreshes the tokens of a linked account',
    access: 'own-session',
    input: { body: accountChoice },
    answer: accountTokens,
    errors: [core.UNAUTHORIZED, unsupportedProvider, errors.ACCOUNT_NOT_FOUND, errors.FAILED_TO_REFRESH_ACCESS_TOKEN],
    budget: { d1: 13, kv: 2, durable: 6, outside: 3 },
    changes: ['account'],
    audit: 'refresh-token',
    limits: { whenFull: 'signs-in', creates: false },
  }),
  accountInfo: post('/account-info', {
    summary: 'Returns the current profile of a linked account from its provider',
    access: 'session',
    input: { body: z.object({ accountId: z.string().max(1024) }) },
    answer: z.object({
      // Some providers (VK) return more fields.
      user: z
        .object({
          id: z.string(),
          name: z.string(),
          email: z.string().nullable(),
          image: z.string().nullable(),
          emailVerified: z.boolean(),
        })
        .catchall(z.any()),
      data: z.record(z.string(), z.unknown()),
    }),
    errors: [
      core.UNAUTHORIZED,
      errors.ACCOUNT_NOT_FOUND,
      errors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN,
      errors.FAILED_TO_GET_USER_INFO,
    ],
    budget: { d1: 13, kv: 2, durable: 6, outside: 6 },
    changes: ['account'],
    audit: 'account-info',
    limits: { whenFull: 'signs-in', creates: false },
  }),
}
