import * as z from 'zod'
import { validate } from '../../http/body.ts'
import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { passwordInput } from '../../identity/users/users.contract.ts'
import { setPassword } from './change-password.ts'

const passwordToSet = z.object({ userId: z.string().min(1), newPassword: passwordInput })

export class EmailPasswordOperations extends Operations {
  /** Sets a password for a user without one. */
  setPassword(input: { userId: string; newPassword: string }): Promise<RpcAnswer<{ status: true }>> {
    return this[run](async (scope) => {
      const { userId, newPassword } = validate(passwordToSet, input, 'body')
      await setPassword(scope, userId, newPassword)
      return { status: true }
    })
  }
}
