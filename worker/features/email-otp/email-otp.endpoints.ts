import { answerSignIn, continueTo, type SignedInAnswer, welcomeTarget } from '../../http/answer-sign-in.ts'
import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import { emailOtpContract } from './email-otp.contract.ts'
import { emailOtpOperations } from './email-otp.operations.ts'
import { sendEmailCode, sendEmailResetCode } from './email-otp.ts'
import { resetPasswordByCode, signInByCode, verifyByCode } from './use-code.ts'

export const emailOtpEndpoints = defineEndpoints({
  routes: routes(emailOtpContract, {
    sendVerificationOtp: async ({ scope, body }) => {
      await sendEmailCode(scope, body.email, body.type)
      return { success: true }
    },
    verifyEmailOtp: async ({ scope, body }) => {
      const { token, user, challenge } = await verifyByCode(scope, body.email, body.otp)
      return { status: true, token, user: summarizeUser(scope, user), ...challenge }
    },
    signInEmailOtp: async ({ scope, body }) => {
      const result = await signInByCode(scope, body.email, body.otp)
      const answer = answerSignIn(scope, result) as SignedInAnswer
      return result.kind === 'signed-in'
        ? { ...answer, ...continueTo(welcomeTarget(scope, result.user, body.callbackURL)) }
        : answer
    },
    forgetPasswordEmailOtp: async ({ scope, body }) => {
      await sendEmailResetCode(scope, body.email)
      return { success: true }
    },
    resetPasswordEmailOtp: async ({ scope, body }) => {
      await resetPasswordByCode(scope, body)
      return { success: true }
    },
  }),
  operations: emailOtpOperations,
})
