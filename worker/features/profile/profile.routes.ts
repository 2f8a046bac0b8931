import { mailedLinkHandler } from '../../http/mailed-link.ts'
import { type HandlerCall, reading, redirectTo, routes } from '../../http/routes.ts'
import { deleteChange, pendingChangeOf } from '../../identity/accounts/address-changes.ts'
import { changeUser } from '../../identity/accounts/users.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { changeEmail } from './change-email.ts'
import { checkDeletion, confirmDeletion, deleteCaller } from './delete-user.ts'
import { profileContract } from './profile.contract.ts'
import { profileErrors } from './profile.errors.ts'
import { revertEmailChange } from './revert-email.ts'

async function linkPurpose({ scope, query: { token } }: HandlerCall<typeof profileContract.deleteUserCallback>) {
  await checkDeletion(scope, token)
  return 'delete-account' as const
}

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
    ({ scope, own }) => ({ changes: pendingChangeOf(scope.db, own.userId, scope.now()) }),
    (_call, { changes: [pending = null] }) => pending,
  ),
  cancelEmailChange: async ({ scope, caller }) => {
    await deleteChange(scope.db, caller.user.id)
    return { status: true }
  },
  revertEmailChange: async ({ scope, body }) => ({
    status: true as const,
    resetToken: await revertEmailChange(scope, body.token),
  }),
  deleteUser: async ({ scope, caller, body }) => ({ success: true, message: await deleteCaller(scope, caller, body) }),
  deleteUserCallback: mailedLinkHandler(linkPurpose, async ({ scope, query: { token, callbackURL } }) => {
    const message = await confirmDeletion(scope, token)
    return callbackURL ? redirectTo(callbackURL) : { success: true, message }
  }),
})
