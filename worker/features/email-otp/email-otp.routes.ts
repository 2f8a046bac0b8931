import { answerSignIn, type SignedInAnswer } from '../../http/answer-sign-in.ts'
import { askFirst } from '../../http/ask-first.ts'
import { continueTo } from '../../http/continue-to.ts'
import { routes } from '../../http/routes.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import { emailOtpContract } from './email-otp.contract.ts'
import { sendCode, sendResetCode } from './email-otp.ts'
import { resetPasswordByCode } from './reset-password.ts'
import { signInByCode } from './sign-in.ts'
import { verifyByCode } from './verify-email.ts'

export const emailOtpRoutes = routes(emailOtpContract, {
  sendVerificationOtp: async ({ scope, body }) => {
    await sendCode(scope, body.email, body.type)
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
      ? { ...answer, ...continueTo(askFirst(scope, result.user, body.callbackURL)) }
      : answer
  },
  forgetPasswordEmailOtp: async ({ scope, body }) => {
    await sendResetCode(scope, body.email)
    return { success: true }
  },
  resetPasswordEmailOtp: async ({ scope, body }) => {
    await resetPasswordByCode(scope, body)
    return { success: true }
  },
})
