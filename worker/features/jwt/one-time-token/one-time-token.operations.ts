import * as z from 'zod'
import { operation } from '../../../http/operations.ts'
import { oneTimeTokenErrors as errors } from './one-time-token.errors.ts'
import { generateOneTimeTokenFor } from './one-time-token.ts'

export const oneTimeTokenOperations = {
  generateOneTimeToken: operation(
    {
      summary:
        'Creates a one-time token for a session. `sessionToken`: signed, as in the cookie or in `set-auth-token`.',
      permission: 'credentials:write',
      // Null as a browser without the header `set-auth-token` has it.
      input: z.object({ sessionToken: z.string().max(1024).nullable() }),
      answer: z.object({ token: z.string() }),
      errors: [errors.SESSION_NOT_FOUND],
      budget: { d1: 1, durable: 1 },
      changes: ['verification'],
    },
    async (scope, { sessionToken }) => ({ token: await generateOneTimeTokenFor(scope, sessionToken ?? '') }),
  ),
}
