import { answerSignIn, type SignedInAnswer } from '../../http/answer-sign-in.ts'
import { askFirst } from '../../http/ask-first.ts'
import { redirectTo, routes } from '../../http/routes.ts'
import { RedirectError } from '../../kit/errors.ts'
import { resolve, withQuery } from '../../kit/urls.ts'
import { magicLinkContract } from './magic-link.contract.ts'
import { followMagicLink, sendMagicLink } from './magic-link.ts'

/** The app's screen that asks for the second factor. */
const secondFactor = '/two-factor'

export const magicLinkRoutes = routes(magicLinkContract, {
  signInMagicLink: async ({ scope, body }) => {
    await sendMagicLink(scope, body)
    return { status: true }
  },
  magicLinkVerify: async ({ scope, query: { token, callbackURL } }) => {
    const followed = await followMagicLink(scope, token)
    if (followed.kind === 'refused') {
      const { error } = followed
      throw new RedirectError(withQuery(resolve(callbackURL || '/', scope.settings.baseUrl), { error }))
    }
    const { result } = followed
    if (!callbackURL) return answerSignIn(scope, result) as SignedInAnswer
    if (result.kind === 'challenged') return redirectTo(withQuery(secondFactor, { callbackURL }))
    return redirectTo(askFirst(scope, result.user, callbackURL))
  },
})
