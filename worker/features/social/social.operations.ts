import * as z from 'zod'
import { httpErrors } from '../../http/http.errors.ts'
import { operation, requireUserId } from '../../http/operations.ts'
import { presentAccess, presentTokens } from './tokens/present-tokens.ts'
import { tokensContract } from './tokens/tokens.contract.ts'
import { getAccessToken, refreshAccountTokens } from './tokens/tokens.ts'

const { getAccessToken: reads, refreshToken: refreshes } = tokensContract

const input = z.object({
  userId: z.unknown().optional(),
  ...reads.input.body.omit({ userId: true }).shape,
}) as unknown as z.ZodType<
  { userId: unknown; providerId: string; accountId?: string | undefined },
  { userId: string; providerId: string; accountId?: string }
>

export const socialOperations = {
  getAccessToken: operation(
    {
      summary: 'Returns the access token of a linked account, refreshed if it is about to expire.',
      permission: 'credentials:read',
      input,
      answer: reads.answer,
      errors: [httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED, ...reads.errors],
      budget: reads.budget,
      // A refreshed token is stored; a repetition returns it.
      changes: [],
    },
    async (scope, asked) => presentAccess(await getAccessToken(scope, requireUserId(asked), asked)),
  ),
  refreshToken: operation(
    {
      limits: { whenFull: 'signs-in' },
      summary: 'Refreshes the tokens of a linked account.',
      permission: 'credentials:write',
      input,
      answer: refreshes.answer,
      errors: [httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED, ...refreshes.errors],
      budget: refreshes.budget,
      changes: ['account'],
      audit: 'server.refresh-token',
    },
    async (scope, asked) => presentTokens(await refreshAccountTokens(scope, requireUserId(asked), asked)),
  ),
}
