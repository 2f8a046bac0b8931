import { defineEndpoints } from '../../http/feature.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { answerJson } from '../../http/json-response.ts'
import { routes } from '../../http/routes.ts'
import { endedPage } from '../../identity/sessions/ended-list.contract.ts'
import { endedSessionsAfter } from '../../identity/sessions/ended-sessions.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { jwtContract } from './jwt.contract.ts'
import { jwtOperations } from './jwt.operations.ts'
import { issueToken, isTokenActive, mayHaveToken } from './jwt.ts'
import { setLifetime } from './key-set.ts'
import { readPublicKeys } from './signing-keys.ts'

export const jwtEndpoints = defineEndpoints({
  routes: routes(jwtContract, {
    token: async ({ scope, caller: { session, user, key } }) => {
      const read = { session: presentSession(scope, session), user: presentUser(scope, user), key }
      if (!mayHaveToken(scope, read)) throw httpErrors.OWN_SESSION_REQUIRED()
      return { token: await issueToken(scope, read) }
    },
    jwks: async ({ scope }) => {
      const answer = answerJson(await readPublicKeys(scope))
      answer.headers.set('cache-control', `public, max-age=${setLifetime}`)
      return answer
    },
    endedSessions: async ({ scope, query }) => {
      const answer = answerJson(await endedSessionsAfter(scope, query.after, endedPage))
      answer.headers.set('cache-control', 'no-store')
      return answer
    },
    tokenStatus: async ({ scope, body }) => ({ active: await isTokenActive(scope, body.token) }),
  }),
  operations: jwtOperations,
})
