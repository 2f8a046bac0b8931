import { answerSignIn, type SignedInAnswer } from '../../http/answer-sign-in.ts'
import { routes } from '../../http/routes.ts'
import { usernameContract } from './username.contract.ts'
import { isUsernameAvailable, signInByUsername } from './username.ts'

export const usernameRoutes = routes(usernameContract, {
  signInUsername: async ({ scope, body }) => {
    const answer = answerSignIn(scope, await signInByUsername(scope, body), ['username'])
    return answer as (SignedInAnswer & { user: { username: string | null } }) | { twoFactorRedirect: boolean }
  },
  isUsernameAvailable: async ({ scope, body }) => ({ available: await isUsernameAvailable(scope, body.username) }),
})
