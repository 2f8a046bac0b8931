import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { viewBackupCodes } from './set-up.ts'
import { totpCode } from './totp.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'

export const twoFactorOperations = {
  viewBackupCodes: operation(
    {
      summary: 'Returns the remaining backup codes of a user.',
      permission: 'credentials:read',
      input: z.object({ userId: z.string().max(128) }),
      answer: z.object({ status: z.literal(true), backupCodes: z.array(z.string()).max(100) }),
      errors: [errors.BACKUP_CODES_ARENT_ENABLED],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, { userId }) => ({ status: true, backupCodes: await viewBackupCodes(scope, userId) }) as const,
  ),
  generateTotp: operation(
    {
      summary: 'Returns the current TOTP code of a base32 secret from a totpURI.',
      permission: 'credentials:read',
      input: z.object({
        secret: z
          .string()
          .max(264)
          .regex(/^[A-Z2-7]{16,256}=*$/i, 'must be base32'),
      }),
      answer: z.object({ code: z.string() }),
      errors: [],
      budget: {},
      changes: [],
    },
    (scope, { secret }) => ({ code: totpCode(scope, secret) }),
  ),
}
