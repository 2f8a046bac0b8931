import { answerSignIn, continueTo, type SignedInAnswer, welcomeTarget } from '../../http/answer-sign-in.ts'
import { type HandlerCall, routes } from '../../http/routes.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import { sendPhoneCode, sendPhoneResetCode } from './codes.ts'
import { phoneNumberContract } from './phone-number.contract.ts'
import { signInByPhone } from './sign-in.ts'
import { resetPasswordByPhone, verifyPhone } from './use-code.ts'

type ResetRequest = Pick<HandlerCall<typeof phoneNumberContract.phoneForgetPassword>, 'scope' | 'body'>

const requestReset = async ({ scope, body }: ResetRequest) => {
  await sendPhoneResetCode(scope, body.phoneNumber)
  return { status: true }
}

export const phoneNumberRoutes = routes(phoneNumberContract, {
  signInPhoneNumber: async ({ scope, body }) => {
    const result = await signInByPhone(scope, body)
    const answer = answerSignIn(scope, result, ['phoneNumber', 'phoneNumberVerified']) as SignedInAnswer
    return result.kind === 'signed-in' ? { ...answer, ...continueTo(body.callbackURL) } : answer
  },
  phoneSendOtp: async ({ scope, body }) => {
    await sendPhoneCode(scope, body.phoneNumber)
    return { message: 'code sent' }
  },
  phoneVerify: async ({ scope, body }) => {
    const verified = await verifyPhone(scope, body)
    if (verified.kind === 'challenged') return verified.challenge.answer as { twoFactorRedirect: boolean }
    const { token, user } = verified
    const shown = summarizeUser(scope, user, ['phoneNumber', 'phoneNumberVerified'])
    return { status: true, token, user: shown, ...continueTo(welcomeTarget(scope, user, body.callbackURL)) }
  },
  phoneRequestPasswordReset: requestReset,
  phoneForgetPassword: requestReset,
  phoneResetPassword: async ({ scope, body }) => {
    await resetPasswordByPhone(scope, body)
    return { status: true }
  },
})
