import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { passwordInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { setFirstPassword } from './change-password.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'

export const emailPasswordOperations = {
  setPassword: operation(
    {
      limits: { whenFull: 'secures' },
      summary: 'Sets a password for a user without one.',
      permission: 'credentials:write',
      input: z.object({ userId: z.string().min(1).max(128), newPassword: passwordInput }),
      answer: z.object({ status: z.literal(true) }),
      errors: [
        core.USER_NOT_FOUND,
        errors.USER_ALREADY_HAS_A_PASSWORD,
        core.PASSWORD_TOO_SHORT,
        core.PASSWORD_TOO_LONG,
        core.PASSWORD_TOO_COMMON,
      ],
      budget: { d1: 4 },
      changes: ['account'],
      audit: 'server.set-password',
    },
    async (scope, { userId, newPassword }) => {
      await setFirstPassword(scope, userId, newPassword)
      return { status: true } as const
    },
  ),
}
