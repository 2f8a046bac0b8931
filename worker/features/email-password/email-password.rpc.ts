import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { setPassword } from './change-password.ts'

export class EmailPasswordOperations extends Operations {
  /** Gives a password to a user who has none. */
  setPassword(input: { userId: string; newPassword: string }): Promise<RpcAnswer<{ status: true }>> {
    return this[run](async (scope) => {
      await setPassword(scope, input.userId, input.newPassword)
      return { status: true }
    })
  }
}
