import { answerJson } from '../../http/answer.ts'
import { routes } from '../../http/routes.ts'
import { sessionContract } from './session.contract.ts'
import {
  listOwnSessions,
  readSession,
  revokeAllSessions,
  revokeOtherSessions,
  revokeSession,
  signOut,
} from './session.ts'

export const sessionRoutes = routes(sessionContract, {
  // The cookie cache holds dates as the ISO text that JSON makes of them anyway.
  getSession: async ({ scope, query }) => answerJson(await readSession(scope, query)),
  listSessions: ({ scope, caller }) => listOwnSessions(scope, caller),
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
