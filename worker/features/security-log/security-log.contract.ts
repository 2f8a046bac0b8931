import * as z from 'zod'
import { get } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { searchedTo } from '../../identity/audit/audit-record.schema.ts'
import { checkpointKeySet } from '../../identity/audit-chain/checkpoint.schema.ts'
import { securityEventTypes } from '../../identity/model/security-event-types.ts'
import { shownDevice } from '../../identity/sessions/sessions.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { instantInput } from '../../kit/inputs.ts'
import { securityLogErrors as errors } from './security-log.errors.ts'

const securityEvent = z
  .object({
    id: z.string(),
    type: z.enum(securityEventTypes),
    outcome: z.enum(['success', 'failure']),
    /** How the user authenticated; null for events without a method. */
    method: z.string().nullable(),
    details: z.record(z.string(), z.string()),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    /** The browser and the system, read from the user agent; null if it names neither. */
    device: shownDevice,
    city: z.string().nullable(),
    /** ISO 3166-1. */
    country: z.string().nullable(),
    createdAt: z.date(),
  })
  .meta({ id: 'SecurityEvent' })

const fullEvent = securityEvent.extend({
  userId: z.string(),
  /** The current name and email address of the user. */
  userName: z.string(),
  userEmail: z.string(),
  /** The administrator who acted as the user, or changed the user. */
  actorId: z.string().nullable(),
  requestId: z.string(),
})

/** The maximum number of events per response. */
const pageLimit = 100

const page = {
  limit: z.coerce.number<number | string>().int().min(1).max(pageLimit).default(50),
  /** The `next` of the previous page. */
  cursor: z.string().max(512).optional(),
}

const filter = {
  type: z.enum(securityEventTypes).optional(),
  /** The beginning and the end (exclusive) of a period. */
  since: instantInput.optional(),
  until: instantInput.optional(),
}

export const securityLogContract = {
  auditKeys: get('/audit-keys', {
    summary: 'Returns the public keys that verify checkpoints of the audit log, as a JSON Web Key Set',
    access: 'visitor',
    origins: { any: true },
    answer: z.object({ keys: checkpointKeySet }),
    errors: [],
    budget: {},
    changes: [],
  }),
  listSecurityEvents: get('/security-events', {
    summary: 'Lists the security events of the caller, newest first',
    access: 'own-session',
    input: { query: z.object({ ...filter, ...page }) },
    answer: z.object({
      /** `current`: the event belongs to the caller's session. */
      events: z.array(securityEvent.extend({ current: z.boolean() })).max(pageLimit),
      next: z.string().nullable(),
    }),
    errors: [core.UNAUTHORIZED, errors.INVALID_CURSOR],
    budget: { d1: 1 },
    changes: [],
    reads: { replica: true },
  }),
  listSecurityEventsOfUser: get('/admin/security-events', {
    summary: 'Lists the security events of a user or of all users, newest first',
    access: { admin: { session: ['list'] } },
    input: {
      query: z.object({
        /** An id or an email address. */
        userId: z.string().min(1).max(320).optional(),
        ...filter,
        ...page,
      }),
    },
    answer: z.object({ events: z.array(fullEvent).max(pageLimit), next: z.string().nullable(), searchedTo }),
    errors: [core.UNAUTHORIZED, httpErrors.FORBIDDEN, errors.INVALID_CURSOR],
    budget: { d1: 1, read: 3100 },
    changes: [],
  }),
}
