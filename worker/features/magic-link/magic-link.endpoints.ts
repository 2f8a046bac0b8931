import { answerSignIn, type SignedInAnswer, welcomeTarget } from '../../http/answer-sign-in.ts'
import { defineEndpoints } from '../../http/feature.ts'
import { mailedLinkHandler } from '../../http/mailed-link.ts'
import { type HandlerCall, redirectTo, routes } from '../../http/routes.ts'
import { RedirectError } from '../../kit/errors.ts'
import { resolve, withQuery } from '../../kit/urls.ts'
import { magicLinkContract } from './magic-link.contract.ts'
import { followMagicLink, linkRefusal, sendMagicLink } from './magic-link.ts'

type Followed = HandlerCall<typeof magicLinkContract.magicLinkVerify>

const refusedLink = ({ scope, query: { callbackURL } }: Followed, error: string) =>
  new RedirectError(withQuery(resolve(callbackURL || '/', scope.settings.baseUrl), { error }))

async function linkPurpose(call: Followed) {
  const refusal = await linkRefusal(call.scope, call.query.token)
  if (refusal) throw refusedLink(call, refusal)
  return 'sign-in' as const
}

/** The app's screen that asks for the second factor. */
const secondFactor = '/two-factor'

export const magicLinkEndpoints = defineEndpoints({
  routes: routes(magicLinkContract, {
    signInMagicLink: async ({ scope, body }) => {
      await sendMagicLink(scope, body)
      return { status: true }
    },
    magicLinkVerify: mailedLinkHandler(linkPurpose, async (call) => {
      const { scope, query } = call
      const { token, callbackURL } = query
      const followed = await followMagicLink(scope, token)
      if (followed.kind === 'refused') throw refusedLink(call, followed.error)
      const { result } = followed
      if (!callbackURL) return answerSignIn(scope, result) as SignedInAnswer
      if (result.kind === 'challenged') return redirectTo(withQuery(secondFactor, { callbackURL }))
      return redirectTo(welcomeTarget(scope, result.user, callbackURL))
    }),
  }),
})
