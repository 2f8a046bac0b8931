import { continueTo } from '../../http/answer-sign-in.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { reading, routes } from '../../http/routes.ts'
import { pageFor } from '../../identity/pages.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import { pageOf } from '../../kit/page.ts'
import { beginAuthentication, finishAuthentication } from './authentication.ts'
import { authenticatorName, type Family, familyOf } from './authenticators.ts'
import { passkeyOptions } from './passkey.config.ts'
import { passkeyContract } from './passkey.contract.ts'
import { listPasskeys } from './passkey.store.ts'
import type { Passkey } from './passkey.table.ts'
import { deletePasskey, renamePasskey } from './passkey.ts'
import { beginRegistration, finishRegistration } from './registration.ts'
import { relyingParty } from './relying-party.ts'
import { beginSecondFactor, finishSecondFactor } from './second-factor.ts'
import { beginSignUp, finishSignUp } from './sign-up.ts'
import { beginStepUp } from './step-up.ts'

/** A passkey in responses. */
type PresentedPasskey = Passkey & {
  /** The product name of the authenticator, such as "iCloud Keychain"; null if it is unknown. */
  authenticator: string | null
  family: Family
}

const presentPasskey = (passkey: Passkey): PresentedPasskey => ({
  ...passkey,
  authenticator: authenticatorName(passkey.aaguid),
  family: familyOf(passkey),
})

export const passkeyRoutes = routes(passkeyContract, {
  passkeyEndpoints: ({ scope }) => {
    const page = pageFor(scope, 'security')
    return { enroll: page, manage: page }
  },
  relatedOrigins: ({ scope }) => {
    const { relatedOrigins } = passkeyOptions.of(scope)
    if (relatedOrigins.length === 0) throw httpErrors.NOT_FOUND()
    return { origins: relyingParty(scope).origins.filter((origin) => origin.startsWith('https:')) }
  },
  generateSignUpOptions: ({ scope, body }) => beginSignUp(scope, body.email),
  signUpPasskey: async ({ scope, body }) => {
    const { token, user } = await finishSignUp(scope, { ...body, input: body })
    return { token, user: summarizeUser(scope, user) }
  },
  listUserPasskeys: reading(
    ({ scope, own, query }) => ({ passkeys: listPasskeys(scope.db, own.userId, pageOf(query)) }),
    (_call, { passkeys }) => passkeys.map(presentPasskey),
  ),
  generateRegisterOptions: reading(
    ({ scope, own }) => ({ existing: listPasskeys(scope.db, own.userId) }),
    ({ scope, caller, query }, { existing }) => beginRegistration(scope, caller, existing, query),
  ),
  verifyRegistration: async ({ scope, caller, body }) => presentPasskey(await finishRegistration(scope, caller, body)),
  generateAuthenticateOptions: ({ scope }) => beginAuthentication(scope),
  generateAuthenticateOptionsByGet: ({ scope }) => beginAuthentication(scope),
  verifyAuthentication: async ({ scope, body }) => {
    const result = await finishAuthentication(scope, body.response)
    if (result.kind === 'challenged') return result.challenge.answer as { twoFactorRedirect: true }
    return { ...continueTo(body.callbackURL), session: presentSession(scope, result.session) }
  },
  secondFactorOptions: ({ scope }) => beginSecondFactor(scope),
  verifySecondFactor: async ({ scope, body: { response, trustDevice, callbackURL } }) => {
    const { user, token } = await finishSecondFactor(scope, response, trustDevice)
    return { ...continueTo(callbackURL), token, user: summarizeUser(scope, user) }
  },
  stepUpPasskeyOptions: ({ scope, caller }) => beginStepUp(scope, caller),
  updatePasskey: async ({ scope, caller, body }) => ({
    passkey: presentPasskey(await renamePasskey(scope, caller, body)),
  }),
  deletePasskey: async ({ scope, caller, body }) => {
    await deletePasskey(scope, caller, body.id)
    return null
  },
})
