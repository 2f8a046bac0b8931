import { continueTo } from '../../http/continue-to.ts'
import { routes } from '../../http/routes.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import { beginAuthentication, finishAuthentication } from './authentication.ts'
import { passkeyContract } from './passkey.contract.ts'
import { deletePasskey, listOwnPasskeys, renamePasskey } from './passkey.ts'
import { presentPasskey } from './present-passkey.ts'
import { beginRegistration, finishRegistration } from './registration.ts'

export const passkeyRoutes = routes(passkeyContract, {
  listUserPasskeys: async ({ scope, caller }) => (await listOwnPasskeys(scope, caller)).map(presentPasskey),
  generateRegisterOptions: ({ scope, caller, query }) => beginRegistration(scope, caller, query),
  verifyRegistration: async ({ scope, caller, body }) => presentPasskey(await finishRegistration(scope, caller, body)),
  generateAuthenticateOptions: ({ scope }) => beginAuthentication(scope),
  verifyAuthentication: async ({ scope, body }) => {
    const result = await finishAuthentication(scope, body.response)
    if (result.kind === 'challenged') return { twoFactorRedirect: true }
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
