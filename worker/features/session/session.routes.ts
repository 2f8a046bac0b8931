import { answerJson } from '../../http/answer.ts'
import { reading, routes } from '../../http/routes.ts'
import { listSessions } from '../../identity/sessions/sessions.store.ts'
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
  // The cookie cache holds dates as the ISO text that JSON makes of them anyway.
  getSession: async ({ scope, query }) => answerJson(await readSession(scope, query)),
  listSessions: reading(
    ({ scope, own }) => [listSessions(scope.db, own.userId, scope.now())],
    ({ scope }, [sessions]) => {
      // An administrator who acts as somebody is not a device of theirs.
      const own = sessions.filter(({ impersonatedBy }) => impersonatedBy === null)
      return Promise.all(own.map((session) => describeSession(scope, session)))
    },
  ),
  revokeSession: async ({ scope, caller, body }) => {
    await revokeSession(scope, caller, body.token)
    return { status: true }
  },
  revokeSessions: async ({ scope, caller }) => {
    await revokeAllSessions(scope, caller)
    return { status: true }
  },
  revokeOtherSessions: async ({ scope, caller }) => {
    await revokeOtherSessions(scope, caller)
    return { status: true }
  },
  signOut: async ({ scope }) => {
    await signOut(scope)
    return { success: true }
  },
})
