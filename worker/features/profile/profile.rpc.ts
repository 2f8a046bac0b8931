import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { type PresentedUser, presentUser } from '../../identity/users/present-user.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserByEmail, findUserById } from '../../identity/users/users.store.ts'

export class ProfileOperations extends Operations {
  /** Returns a user by id or address. Error: USER_NOT_FOUND. */
  getUser(input: { userId: string } | { email: string }): Promise<RpcAnswer<PresentedUser>> {
    return this[run](async (scope) => {
      const user =
        'userId' in input
          ? await findUserById(scope.db, String(input.userId))
          : await findUserByEmail(scope.db, String(input.email).toLowerCase())
      if (!user) throw coreErrors.USER_NOT_FOUND()
      return presentUser(scope, user)
    })
  }
}
