import { answerJson } from '../../http/json-response.ts'
import { reading, routes } from '../../http/routes.ts'
import { listSessions } from '../../identity/sessions/sessions.store.ts'
import { beganAtEarliest } from '../../identity/sessions/sessions.ts'
import { pageOf } from '../../kit/page.ts'
import { sessionContract } from './session.contract.ts'
import {
  describeSession,
  readSession,
  revokeAllSessions,
  revokeOtherSessions,
  revokeSession,
  signOut,
} from './session.ts'

export const sessionRoutes = routes(sessionContract, {
  // The cookie cache stores dates as ISO text, which is also their form in JSON.
  getSession: async ({ scope, query }) => answerJson(await readSession(scope, query)),
  listSessions: reading(
    ({ scope, own, query }) => ({
      sessions: listSessions(scope.db, own.userId, scope.now(), beganAtEarliest(scope), pageOf(query)),
    }),
    ({ scope }, { sessions }) => {
      // An impersonation by an administrator is not a device of the user.
      const own = sessions.filter(({ impersonatedBy }) => impersonatedBy === null)
      return Promise.all(own.map((session) => describeSession(scope, session)))
    },
  ),
  revokeSession: async ({ scope, caller, body }) => {
    await revokeSession(scope, caller, body.token)
    return { status: true }
  },
  revokeSessions: async ({ scope, caller, body }) => {
    await revokeAllSessions(scope, caller, body?.applications)
    return { status: true }
  },
  revokeOtherSessions: async ({ scope, caller, body }) => {
    await revokeOtherSessions(scope, caller, body?.applications)
    return { status: true }
  },
  signOut: async ({ scope }) => {
    await signOut(scope)
    return { success: true }
  },
})
