import { answerJson } from '../../http/answer.ts'
import { routes } from '../../http/routes.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { jwtContract } from './jwt.contract.ts'
import { issueToken } from './jwt.ts'
import { setLifetime } from './key-set.ts'
import { readPublicKeys } from './signing-keys.ts'

export const jwtRoutes = routes(jwtContract, {
  token: async ({ scope, caller: { session, user } }) => ({
    token: await issueToken(scope, { session: presentSession(scope, session), user: presentUser(scope, user) }),
  }),
  jwks: async ({ scope }) => {
    const answer = answerJson(await readPublicKeys(scope))
    answer.headers.set('cache-control', `public, max-age=${setLifetime}`)
    return answer
  },
})
