import { defineEndpoints } from '../../../http/feature.ts'
import { mailedLinkHandler } from '../../../http/mailed-link.ts'
import { type HandlerCall, redirectTo, routes } from '../../../http/routes.ts'
import { summarizeUser } from '../../../identity/users/present-user.ts'
import { RedirectError } from '../../../kit/errors.ts'
import { withQuery } from '../../../kit/urls.ts'
import { emailVerificationContract } from './email-verification.contract.ts'
import { openVerification, resendVerification, type VerifiedEmail, verifyEmail } from './email-verification.ts'

type Followed = HandlerCall<typeof emailVerificationContract.verifyEmail>

function answerOf({ scope, query: { callbackURL } }: Followed, result: VerifiedEmail) {
  if (result.kind === 'refused') {
    if (callbackURL) throw new RedirectError(withQuery(callbackURL, { error: result.error.message }))
    throw result.error()
  }
  if (callbackURL) return redirectTo(callbackURL)
  return { status: true, user: result.user && summarizeUser(scope, result.user) }
}

async function openLink(call: Followed) {
  const opened = await openVerification(call.scope, call.query.token)
  return opened.kind === 'verified' || opened.kind === 'refused' ? answerOf(call, opened) : opened.kind
}

export const emailVerificationEndpoints = defineEndpoints({
  routes: routes(emailVerificationContract, {
    sendVerificationEmail: async ({ scope, body }) => {
      await resendVerification(scope, body.email, body.callbackURL)
      return { status: true }
    },
    verifyEmail: mailedLinkHandler(openLink, async (call) =>
      answerOf(call, await verifyEmail(call.scope, call.query.token, call.query.callbackURL)),
    ),
  }),
})
