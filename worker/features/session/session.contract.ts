import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { presentedSession, sessionAndUser, shownDevice } from '../../identity/sessions/sessions.contract.ts'
import { statusAnswer } from '../../identity/users/users.contract.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { sessionErrors } from './session.errors.ts'

const flag = z.stringbool().optional()

/** A listed session also says what its user agent is, where it began and how, as far as it can be told. */
const listedSession = presentedSession.extend({
  device: shownDevice,
  method: z.string().nullable(),
  place: z.object({ city: z.string().nullable(), country: z.string().nullable() }).nullable(),
})

export const sessionContract = {
  getSession: endpoint({
    method: 'GET',
    path: '/get-session',
    summary: 'The session and its user, or null',
    access: 'visitor',
    query: z.object({ disableCookieCache: flag, disableRefresh: flag }),
    answer: sessionAndUser.nullable(),
    errors: [],
    limitedBy: 'session',
    // The session; and in a new isolate the key that signs `set-auth-jwt`, of which the first has to be made.
    budget: { d1: 3 },
    // It may extend the session, which no prefetch can abuse.
    changes: [],
    replica: true,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/list-sessions',
    summary: "The user's live sessions, newest first",
    access: 'session',
    answer: z.array(listedSession),
    errors: [coreErrors.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  revokeSession: endpoint({
    method: 'POST',
    path: '/revoke-session',
    summary: "Ends one of the user's sessions",
    access: 'session',
    body: z.object({ token: z.string().max(256) }),
    answer: statusAnswer,
    errors: [coreErrors.UNAUTHORIZED, sessionErrors.SESSION_NOT_FOUND],
    budget: { d1: 3 },
    changes: ['session'],
  }),
  revokeSessions: endpoint({
    method: 'POST',
    path: '/revoke-sessions',
    summary: "Ends all of the user's sessions, this one too",
    access: 'session',
    answer: statusAnswer,
    errors: [coreErrors.UNAUTHORIZED],
    budget: { d1: 2 },
    changes: ['session'],
  }),
  revokeOtherSessions: endpoint({
    method: 'POST',
    path: '/revoke-other-sessions',
    summary: "Ends all of the user's sessions but this one",
    access: 'session',
    answer: statusAnswer,
    errors: [coreErrors.UNAUTHORIZED],
    budget: { d1: 2 },
    changes: ['session'],
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/sign-out',
    summary: 'Ends this session',
    access: 'visitor',
    answer: z.object({ success: z.boolean() }),
    errors: [coreErrors.FAILED_TO_GET_SESSION],
    budget: { d1: 1 },
    changes: ['session'],
  }),
}
