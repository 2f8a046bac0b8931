import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { viewBackupCodes } from './set-up.ts'
import { totpCode } from './totp.ts'

export class TwoFactorOperations extends Operations {
  /** The backup codes that a user has left. */
  viewBackupCodes(input: { userId: string }): Promise<RpcAnswer<{ status: true; backupCodes: string[] }>> {
    return this[run](async (scope) => ({ status: true, backupCodes: await viewBackupCodes(scope, input.userId) }))
  }

  /** The TOTP code of this moment for a secret in base32, as it stands in a totpURI. */
  generateTotp(input: { secret: string }): Promise<RpcAnswer<{ code: string }>> {
    return this[run](async (scope) => ({ code: totpCode(scope, input.secret) }))
  }
}
