import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import {
  presentedSession,
  sessionAndUser,
  sessionMethod,
  shownDevice,
} from '../../identity/sessions/sessions.contract.ts'
import { statusAnswer } from '../../identity/users/users.contract.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { listOf, pageQuery } from '../../kit/page.ts'
import { sessionErrors } from './session.errors.ts'

const flag = z.string().max(64).pipe(z.stringbool()).optional()

/** A listed session also contains its device, its place and its sign-in method, if they are known. */
const listedSession = presentedSession.extend({
  device: shownDevice,
  method: sessionMethod.nullable(),
  place: z.object({ city: z.string().nullable(), country: z.string().nullable() }).nullable(),
})

/** `applications`: also revokes the access of applications to the account (OAuth tokens and consents). */
const endingInput = z.object({ applications: z.boolean().optional() }).optional()

export const sessionContract = {
  getSession: get('/get-session', {
    summary: 'Returns the session and its user, or null',
    access: 'visitor',
    input: { query: z.object({ disableCookieCache: flag, disableRefresh: flag }) },
    answer: sessionAndUser.nullable(),
    errors: [httpErrors.SESSION_KEY_REQUIRED],
    limits: { by: 'session' },
    // One read for the session. In a new isolate, one for the key that signs `set-auth-jwt`, and one to create the
    // first key. One more if the feed of ended sessions cannot judge the row of a replica.
    budget: { d1: 4 },
    // It may extend the session, which is harmless in a prefetch.
    reads: { uses: ['sessionRead'], replica: true },
    changes: [],
  }),
  listSessions: get('/list-sessions', {
    summary: 'Lists the active sessions of the user, newest first',
    access: 'own-session',
    input: { query: z.object(pageQuery) },
    answer: listOf(listedSession),
    errors: [coreErrors.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED],
    budget: { d1: 1, read: 1100 },
    changes: [],
    reads: { replica: true },
  }),
  revokeSession: post('/revoke-session', {
    summary: 'Revokes a session of the user',
    access: 'own-session',
    input: { body: z.object({ token: z.string().max(256) }) },
    answer: statusAnswer,
    errors: [coreErrors.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED, sessionErrors.SESSION_NOT_FOUND],
    budget: { d1: 3 },
    changes: ['session'],
    audit: 'revoke-session',
    limits: { creates: 'ends' },
  }),
  revokeSessions: post('/revoke-sessions', {
    summary: 'Revokes all sessions of the user, including this one',
    access: 'own-session',
    input: { body: endingInput },
    answer: statusAnswer,
    errors: [coreErrors.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED],
    budget: { d1: 2, read: 150, written: 100 },
    changes: ['session'],
    audit: 'revoke-sessions',
    limits: { creates: 'ends' },
  }),
  revokeOtherSessions: post('/revoke-other-sessions', {
    summary: 'Revokes all sessions of the user except this one',
    access: 'own-session',
    input: { body: endingInput },
    answer: statusAnswer,
    errors: [coreErrors.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED],
    budget: { d1: 2, read: 150, written: 100 },
    changes: ['session'],
    audit: 'revoke-other-sessions',
    limits: { creates: 'ends' },
  }),
  signOut: post('/sign-out', {
    summary: 'Signs out and revokes this session',
    access: 'visitor',
    /** Where a form without a script ends; the sign-in page unless given. */
    input: { query: z.object({ callbackURL: z.string().max(2000).optional() }) },
    answer: z.object({ success: z.boolean() }),
    orElse: ['redirect'],
    errors: [coreErrors.FAILED_TO_GET_SESSION],
    budget: { d1: 1 },
    changes: ['session'],
    audit: 'sign-out',
    limits: { creates: 'ends' },
  }),
}
