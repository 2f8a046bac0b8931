import { answerSignIn, type SignedInAnswer, welcomeTarget } from '../../http/answer-sign-in.ts'
import { defineEndpoints } from '../../http/feature.ts'
import { mailedLink } from '../../http/mailed-link.ts'
import { type Call, redirectTo, routes } from '../../http/routes.ts'
import { RedirectError } from '../../kit/errors.ts'
import { resolve, withQuery } from '../../kit/urls.ts'
import { magicLinkContract } from './magic-link.contract.ts'
import { followMagicLink, isMagicLinkValid, sendMagicLink } from './magic-link.ts'

const linkPurpose = async ({ scope, query: { token } }: Call<typeof magicLinkContract.magicLinkVerify>) =>
  (await isMagicLinkValid(scope, token)) ? 'sign-in' : null

/** The app's screen that asks for the second factor. */
const secondFactor = '/two-factor'

export const magicLinkEndpoints = defineEndpoints({
  routes: routes(magicLinkContract, {
    signInMagicLink: async ({ scope, body }) => {
      await sendMagicLink(scope, body)
      return { status: true }
    },
    magicLinkVerify: mailedLink(linkPurpose, async ({ scope, query: { token, callbackURL } }) => {
      const followed = await followMagicLink(scope, token)
      if (followed.kind === 'refused') {
        const { error } = followed
        throw new RedirectError(withQuery(resolve(callbackURL || '/', scope.settings.baseUrl), { error }))
      }
      const { result } = followed
      if (!callbackURL) return answerSignIn(scope, result) as SignedInAnswer
      if (result.kind === 'challenged') return redirectTo(withQuery(secondFactor, { callbackURL }))
      return redirectTo(welcomeTarget(scope, result.user, callbackURL))
    }),
  }),
})
