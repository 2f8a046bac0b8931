import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { coreErrors } from '../../../identity/users/users.errors.ts'
import { deviceSessionPaths } from '../../../kit/bound-cookie.ts'
import { seconds } from '../../../kit/time.ts'
import { deviceBoundErrors as errors } from './device-bound.errors.ts'

/**
 * JSON session instructions (section 9.6), or `continue: false`: the browser forgets the key, and nothing else changes.
 * The names are those of the standard.
 */
const instructions = z.union([
  z.object({
    session_identifier: z.string(),
    refresh_url: z.string(),
    scope: z.object({ origin: z.string(), include_site: z.boolean() }),
    credentials: z.array(z.object({ type: z.literal('cookie'), name: z.string(), attributes: z.string() })).max(1),
    allowed_refresh_initiators: z.array(z.string()).max(100),
  }),
  z.object({ continue: z.literal(false) }),
])

/** Browsers call these, without Origin and Sec-Fetch-Site, and with a proof in a header that no other site can set. */
const calledByBrowser = { access: 'visitor', origins: { foreignPosts: true }, answer: instructions } as const
const rate = { max: 20, window: seconds(60) }

export const deviceBoundContract = {
  registerDeviceKey: post(deviceSessionPaths.register, {
    ...calledByBrowser,
    summary: 'Registers the key of a browser for its session (Device Bound Session Credentials)',
    errors: [coreErrors.UNAUTHORIZED, errors.INVALID_DEVICE_PROOF, errors.SESSION_ALREADY_BOUND, errors.SESSION_COPIED],
    budget: { d1: 2 },
    changes: ['session'],
    // A part of the sign-in, whose record is in the log. The end of a copied session has one of its own.
    audit: null,
    limits: { rate, whenFull: 'secures' },
  }),
  refreshDeviceSession: post(deviceSessionPaths.refresh, {
    ...calledByBrowser,
    summary: 'Renews the bound cookie of a device-bound session by a proof of its key',
    errors: [errors.INVALID_DEVICE_PROOF, errors.DEVICE_PROOF_REQUIRED, errors.SESSION_COPIED],
    budget: { d1: 1 },
    changes: [],
  }),
  deviceBoundSessions: get('/.well-known/device-bound-sessions', {
    at: { also: ['/.well-known/device-bound-sessions'] },
    origins: { any: true },
    summary: 'Names the origins that register device-bound sessions for the whole site (section 11.6)',
    access: 'visitor',
    answer: z.object({ registering_origins: z.array(z.string()).max(1) }),
    errors: [],
    budget: {},
    changes: [],
  }),
}
