import { answerSignIn, continueTo, type SignedInAnswer } from '../../http/answer-sign-in.ts'
import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { usernameContract } from './username.contract.ts'
import { isUsernameAvailable, signInByUsername } from './username.ts'

export const usernameEndpoints = defineEndpoints({
  routes: routes(usernameContract, {
    signInUsername: async ({ scope, body }) => {
      const result = await signInByUsername(scope, body)
      const answer = answerSignIn(scope, result, ['username'])
      if (result.kind === 'challenged') return answer as { twoFactorRedirect: boolean }
      return {
        ...continueTo(body.callbackURL),
        ...(answer as SignedInAnswer & { user: { username: string | null } }),
      }
    },
    isUsernameAvailable: async ({ scope, body }) => ({ available: await isUsernameAvailable(scope, body.username) }),
  }),
})
