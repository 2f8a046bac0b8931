import { continueTo } from '../../http/answer-sign-in.ts'
import { reading, routes } from '../../http/routes.ts'
import type { Scope } from '../../identity/scope.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import type { VerifiedFactor } from './finish.ts'
import { disable, enable, forgetDevices, presentStatus, readTotpUri, regenerateBackupCodes } from './set-up.ts'
import { countTrustedDevices } from './trusted-devices.store.ts'
import { twoFactorContract } from './two-factor.contract.ts'
import { recordsOf } from './two-factor.store.ts'
import { readChallenge, sendOtp, verifyBackupCode, verifyOtp, verifyTotp } from './verify.ts'

const answer = async (scope: Scope, verifying: Promise<VerifiedFactor>, callbackURL?: string) => {
  const { user, ...token } = await verifying
  return { ...continueTo(callbackURL), ...token, user: summarizeUser(scope, user) }
}

export const twoFactorRoutes = routes(twoFactorContract, {
  enableTwoFactor: ({ scope, caller, body }) => enable(scope, caller, body),
  disableTwoFactor: async ({ scope, caller, body }) => {
    await disable(scope, caller, body.password)
    return { status: true }
  },
  getTotpUri: async ({ scope, caller, body }) => ({ totpURI: await readTotpUri(scope, caller, body.password) }),
  verifyTotp: ({ scope, body }) => answer(scope, verifyTotp(scope, body), body.callbackURL),
  sendTwoFactorOtp: async ({ scope }) => {
    await sendOtp(scope)
    return { status: true }
  },
  verifyTwoFactorOtp: ({ scope, body }) => answer(scope, verifyOtp(scope, body), body.callbackURL),
  verifyBackupCode: ({ scope, body }) => answer(scope, verifyBackupCode(scope, body), body.callbackURL),
  generateBackupCodes: async ({ scope, caller, body }) => ({
    status: true,
    backupCodes: await regenerateBackupCodes(scope, caller, body.password),
  }),
  twoFactorStatus: reading(
    ({ scope: { db, now }, own }) => ({
      records: recordsOf(db, own.userId, now()),
      counts: countTrustedDevices(db, own.userId, now()),
    }),
    ({ caller }, { records, counts: [count] }) => presentStatus(caller, records, count?.devices ?? 0),
  ),
  forgetTrustedDevices: async ({ scope, caller }) => {
    await forgetDevices(scope, caller)
    return { status: true }
  },
  twoFactorChallenge: ({ scope }) => readChallenge(scope),
})
