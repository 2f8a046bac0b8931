import { defineEndpoints } from '../../../http/feature.ts'
import { mailedLink } from '../../../http/mailed-link.ts'
import { type Call, redirectTo, routes } from '../../../http/routes.ts'
import { summarizeUser } from '../../../identity/users/present-user.ts'
import { RedirectError } from '../../../kit/errors.ts'
import { withQuery } from '../../../kit/urls.ts'
import { emailVerificationContract } from './email-verification.contract.ts'
import { purposeOf, resendVerification, verifyEmail } from './email-verification.ts'

const linkPurpose = ({ scope, query: { token } }: Call<typeof emailVerificationContract.verifyEmail>) =>
  purposeOf(scope, token)

export const emailVerificationEndpoints = defineEndpoints({
  routes: routes(emailVerificationContract, {
    sendVerificationEmail: async ({ scope, body }) => {
      await resendVerification(scope, body.email, body.callbackURL)
      return { status: true }
    },
    verifyEmail: mailedLink(linkPurpose, async ({ scope, query: { token, callbackURL } }) => {
      const result = await verifyEmail(scope, token, callbackURL)
      if (result.kind === 'refused') {
        if (callbackURL) throw new RedirectError(withQuery(callbackURL, { error: result.error.message }))
        throw result.error()
      }
      if (callbackURL) return redirectTo(callbackURL)
      return { status: true, user: result.user && summarizeUser(scope, result.user) }
    }),
  }),
})
