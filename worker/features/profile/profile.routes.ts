import { reading, redirectTo, routes } from '../../http/routes.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { deleteChange, pendingChangeOf } from '../../identity/users/address-changes.ts'
import { changeUser } from '../../identity/users/users.ts'
import { changeEmail } from './change-email.ts'
import { confirmDeletion, deleteUser } from './delete-user.ts'
import { profileContract } from './profile.contract.ts'
import { profileErrors } from './profile.errors.ts'

export const profileRoutes = routes(profileContract, {
  updateUser: async ({ scope, caller, body }) => {
    if ('email' in body) throw profileErrors.EMAIL_CAN_NOT_BE_UPDATED()
    const { name, image } = body
    const own = { ...(name === undefined ? {} : { name }), ...(image === undefined ? {} : { image }) }
    const user = await changeUser(scope, caller.user, own, body)
    if (user !== caller.user) refreshSessionCookies(scope, caller, user)
    return { status: true }
  },
  changeEmail: async ({ scope, caller, body }) => {
    await changeEmail(scope, caller, body)
    return { status: true }
  },
  pendingEmailChange: reading(
    ({ scope, own }) => [pendingChangeOf(scope.db, own.userId, scope.now())],
    (_call, [[pending = null]]) => pending,
  ),
  cancelEmailChange: async ({ scope, caller }) => {
    await deleteChange(scope.db, caller.user.id)
    return { status: true }
  },
  deleteUser: async ({ scope, caller, body }) => ({ success: true, message: await deleteUser(scope, caller, body) }),
  deleteUserCallback: async ({ scope, query: { token, callbackURL } }) => {
    const message = await confirmDeletion(scope, token)
    return callbackURL ? redirectTo(callbackURL) : { success: true, message }
  },
})
