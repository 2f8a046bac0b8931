import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { sessionAndUser } from '../../identity/sessions/sessions.contract.ts'
import { statusAnswer } from '../../identity/users/users.contract.ts'
import { multiSessionErrors as errors } from './multi-session.errors.ts'

const body = z.object({ sessionToken: z.string().min(1).max(256) })

/** The browser's own cookies are the right to these: whoever is active has nothing to say about the others. */
export const multiSessionContract = {
  listDeviceSessions: endpoint({
    method: 'GET',
    path: '/multi-session/list-device-sessions',
    summary: 'The people who are signed in on this browser, the active one first',
    access: 'visitor',
    answer: z.array(sessionAndUser),
    errors: [],
    budget: { d1: 1 },
    // It may clear cookies of sessions that have ended, which no prefetch can abuse.
    changes: [],
  }),
  setActiveSession: endpoint({
    method: 'POST',
    path: '/multi-session/set-active',
    summary: "Makes another of this browser's sessions the active one",
    access: 'visitor',
    body,
    answer: sessionAndUser,
    errors: [errors.INVALID_SESSION_TOKEN],
    budget: { d1: 1 },
    changes: ['session'],
  }),
  revokeDeviceSession: endpoint({
    method: 'POST',
    path: '/multi-session/revoke',
    summary: "Ends one of this browser's sessions; another takes its place when it was the active one",
    access: 'visitor',
    body,
    answer: statusAnswer,
    errors: [errors.INVALID_SESSION_TOKEN],
    budget: { d1: 2 },
    changes: ['session'],
  }),
}
