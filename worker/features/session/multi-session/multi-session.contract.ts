import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { sessionAndUser } from '../../../identity/sessions/sessions.contract.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { listOf } from '../../../kit/page.ts'
import { multiSessionErrors as errors } from './multi-session.errors.ts'

const body = z.object({ sessionToken: z.string().min(1).max(256) })

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { multiSession: true }
  /** The maximum number of accounts that one browser may be signed in to. */
  multiSession: { maximumSessions: number }
}

/** The browser's own cookies authorize these calls. The active session has no rights over the others. */
export const multiSessionContract = {
  listDeviceSessions: get('/multi-session/list-device-sessions', {
    summary: 'Lists the sessions of this browser with their users, the active session first',
    access: 'visitor',
    answer: listOf(sessionAndUser),
    errors: [],
    budget: { d1: 1 },
    // It may clear cookies of ended sessions, which is harmless in a prefetch.
    changes: [],
  }),
  setActiveSession: post('/multi-session/set-active', {
    summary: 'Sets the active session of this browser',
    access: 'visitor',
    input: { body },
    answer: sessionAndUser,
    errors: [errors.INVALID_SESSION_TOKEN, httpErrors.SESSION_KEY_REQUIRED],
    budget: { d1: 1 },
    changes: ['session'],
    // Changes only the cookies of this browser.
    audit: null,
    limits: { whenFull: 'signs-in', creates: false },
  }),
  revokeDeviceSession: post('/multi-session/revoke', {
    summary: 'Revokes a session of this browser; if it was active, another session of the browser becomes active',
    access: 'visitor',
    input: { body },
    answer: statusAnswer,
    errors: [errors.INVALID_SESSION_TOKEN],
    budget: { d1: 2 },
    changes: ['session'],
    audit: 'multi-session.revoke',
    limits: { creates: 'ends' },
  }),
}
