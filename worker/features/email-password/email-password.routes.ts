import { answerSignIn } from '../../http/answer-sign-in.ts'
import { type HandlerCall, redirectTo, routes } from '../../http/routes.ts'
import { pageFor } from '../../identity/pages.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import { resolve, withQuery } from '../../kit/urls.ts'
import { changePassword } from './change-password.ts'
import { emailPasswordContract } from './email-password.contract.ts'
import { isResetTokenValid, requestPasswordReset, resetPassword } from './reset-password.ts'
import { signIn } from './sign-in.ts'
import { signUpByPassword } from './sign-up.ts'

type ResetRequest = Pick<HandlerCall<typeof emailPasswordContract.requestPasswordReset>, 'scope' | 'body'>

const requestReset = async ({ scope, body }: ResetRequest) => {
  await requestPasswordReset(scope, body.email, body.redirectTo)
  // The same response for all addresses, so that it does not reveal users.
  return { status: true, message: 'If this email exists in our system, check your email for the reset link' }
}

export const emailPasswordRoutes = routes(emailPasswordContract, {
  changePasswordPage: ({ scope }) => redirectTo(pageFor(scope, 'security')),
  signUpEmail: async ({ scope, body }) => {
    const { name, email, password, image, callbackURL } = body
    const { token, user } = await signUpByPassword(scope, { name, email, password, image, callbackURL, input: body })
    return { token, user: summarizeUser(scope, user) }
  },
  signInEmail: async ({ scope, body }) => {
    const result = await signIn(scope, body)
    const answer = answerSignIn(scope, result)
    if (result.kind === 'challenged') return answer as { twoFactorRedirect: boolean }
    const url = body.callbackURL || undefined
    return { redirect: url !== undefined, token: result.session.token, url, user: summarizeUser(scope, result.user) }
  },
  requestPasswordReset: requestReset,
  forgetPassword: requestReset,
  resetPasswordLink: async ({ scope, params: { token }, query: { callbackURL } }) => {
    const isValid = await isResetTokenValid(scope, token)
    const target = resolve(callbackURL, scope.settings.baseUrl)
    return redirectTo(withQuery(target, isValid ? { token } : { error: 'INVALID_TOKEN' }))
  },
  resetPassword: async ({ scope, body, query }) => {
    await resetPassword(scope, body.token ?? query.token, body.newPassword)
    return { status: true }
  },
  changePassword: async ({ scope, caller, body }) => {
    const token = await changePassword(scope, caller, body)
    return { token, user: summarizeUser(scope, caller.user) }
  },
})
