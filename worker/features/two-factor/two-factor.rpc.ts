import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { viewBackupCodes } from './set-up.ts'
import { totpCode } from './totp.ts'

export class TwoFactorOperations extends Operations {
  /** Returns the remaining backup codes of a user. */
  viewBackupCodes(input: { userId: string }): Promise<RpcAnswer<{ status: true; backupCodes: string[] }>> {
    return this[run](async (scope) => ({ status: true, backupCodes: await viewBackupCodes(scope, input.userId) }))
  }

  /** Returns the current TOTP code of a base32 secret from a totpURI. */
  generateTotp(input: { secret: string }): Promise<RpcAnswer<{ code: string }>> {
    return this[run](async (scope) => ({ code: totpCode(scope, input.secret) }))
  }
}
