import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { presentedUser } from '../../identity/users/users.contract.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserByEmail, findUserById } from '../../identity/users/users.store.ts'

export const profileOperations = {
  getUser: operation(
    {
      summary: 'Returns a user by id or address.',
      permission: 'users:read',
      input: z.union([z.object({ userId: z.string().max(128) }), z.object({ email: z.string().max(320) })]),
      answer: presentedUser,
      errors: [coreErrors.USER_NOT_FOUND],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, input) => {
      const user =
        'userId' in input ? await findUserById(scope.db, input.userId) : await findUserByEmail(scope.db, input.email)
      if (!user) throw coreErrors.USER_NOT_FOUND()
      return presentUser(scope, user)
    },
  ),
}
