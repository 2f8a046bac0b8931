import { continueTo } from '../../http/continue-to.ts'
import { reading, routes } from '../../http/routes.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import { beginAuthentication, finishAuthentication } from './authentication.ts'
import { passkeyContract } from './passkey.contract.ts'
import { listPasskeys } from './passkey.store.ts'
import { deletePasskey, renamePasskey } from './passkey.ts'
import { presentPasskey } from './present-passkey.ts'
import { beginRegistration, finishRegistration } from './registration.ts'
import { beginSignUp, finishSignUp } from './sign-up.ts'

export const passkeyRoutes = routes(passkeyContract, {
  generateSignUpOptions: ({ scope, body }) => beginSignUp(scope, body.email),
  signUpPasskey: async ({ scope, body }) => {
    const { token, user } = await finishSignUp(scope, { ...body, input: body })
    return { token, user: summarizeUser(scope, user) }
  },
  listUserPasskeys: reading(
    ({ scope, own }) => [listPasskeys(scope.db, own.userId)],
    (_call, [own]) => own.map(presentPasskey),
  ),
  generateRegisterOptions: reading(
    ({ scope, own }) => [listPasskeys(scope.db, own.userId)],
    ({ scope, caller, query }, [existing]) => beginRegistration(scope, caller, existing, query),
  ),
  verifyRegistration: async ({ scope, caller, body }) => presentPasskey(await finishRegistration(scope, caller, body)),
  generateAuthenticateOptions: ({ scope }) => beginAuthentication(scope),
  generateAuthenticateOptionsByGet: ({ scope }) => beginAuthentication(scope),
  verifyAuthentication: async ({ scope, body }) => {
    const result = await finishAuthentication(scope, body.response)
    if (result.kind === 'challenged') return result.challenge.answer as { twoFactorRedirect: true }
    return { ...continueTo(body.callbackURL), session: presentSession(scope, result.session) }
  },
  updatePasskey: async ({ scope, caller, body }) => ({
    passkey: presentPasskey(await renamePasskey(scope, caller, body)),
  }),
  deletePasskey: async ({ scope, caller, body }) => {
    await deletePasskey(scope, caller, body.id)
    return null
  },
})
