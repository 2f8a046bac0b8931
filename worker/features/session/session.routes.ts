import { answerJson, answerJsonText } from '../../http/json-response.ts'
import { reading, redirectTo, routes } from '../../http/routes.ts'
import { landingFor } from '../../identity/pages.ts'
import { listSessions } from '../../identity/sessions/sessions.store.ts'
import { beganAtEarliest } from '../../identity/sessions/sessions.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { AppError } from '../../kit/errors.ts'
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
  getSession: async ({ scope, query }) => {
    const found = await readSession(scope, query)
    return found ? answerJsonText(found.text) : answerJson(null)
  },
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
  signOut: async ({ scope, request, query }) => {
    if (!isPlainForm(request.headers)) {
      await signOut(scope)
      return { success: true }
    }
    // A second click has no session, and ends on the same page.
    await signOut(scope).catch((thrown: unknown) => {
      if (!(thrown instanceof AppError && thrown.code === coreErrors.FAILED_TO_GET_SESSION.code)) throw thrown
    })
    return redirectTo(landingFor(scope, 'signIn', query.callbackURL))
  },
})

/** A form that the browser sends without a script: it shows the response. */
const isPlainForm = (headers: Headers): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(headers.get('content-type') ?? '') &&
  (headers.get('accept') ?? '').includes('text/html')
