import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { minutes, seconds } from '../../../kit/time.ts'
import { idInput, optionalOrganization } from '../../organization/model/membership.schemas.ts'
import { organizationErrors } from '../../organization/organization.errors.ts'
import { auditErrors } from '../audit.errors.ts'
import { sink, streamFailures, streamFormats } from './sinks.ts'
import { streamErrors as errors } from './streams.errors.ts'
import { streamStates } from './streams.table.ts'

export const failure = z.object({ code: z.enum(streamFailures), detail: z.string().nullable() })

/** A stream without its secret. */
export const stream = z
  .object({
    id: z.string(),
    name: z.string(),
    sink,
    format: z.enum(streamFormats),
    state: z.enum(streamStates),
    /** Records that wait for their delivery. */
    waiting: z.number(),
    failingSince: z.date().nullable(),
    lastFailure: failure.nullable(),
    lastDeliveredAt: z.date().nullable(),
    createdAt: z.date(),
  })
  .meta({ id: 'AuditStream' })

const name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'no control characters')
const secret = z.string().trim().min(1).max(1024)

/** The fields of a new stream. */
export const newStream = {
  name,
  sink,
  /** The secret access key of a bucket, the token of a collector, or the API key. A URL gets one of ours. */
  secret: secret.optional(),
  format: z.enum(streamFormats).default('record'),
  /** Which records it gets: only new ones, or all that are stored. */
  from: z.enum(['now', 'beginning']).default('now'),
}

export const changedStream = {
  streamId: idInput,
  name: name.optional(),
  state: z.enum(streamStates).optional(),
  secret: secret.optional(),
}

export const newStreamExample = { name: 'SIEM', sink: { type: 'http', url: 'https://siem.example.com/gatehouse' } }

/** The maximum of `audit.maxStreams`. */
export const streamList = z.object({ streams: z.array(stream).max(20) })

/** Errors of a new stream, beyond those of the access. */
export const newStreamErrors = [
  errors.INVALID_AUDIT_STREAM_ADDRESS,
  errors.AUDIT_STREAM_SECRET_IS_REQUIRED,
  errors.MAXIMUM_NUMBER_OF_AUDIT_STREAMS_REACHED,
] as const

const organizationErrorsOf = [
  core.UNAUTHORIZED,
  organizationErrors.NO_ACTIVE_ORGANIZATION,
  organizationErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
] as const

const changing = { access: 'recent-authentication', limits: { rate: { max: 30, window: seconds(60) } } } as const
const changeErrors = [...organizationErrorsOf, errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_AUDIT_STREAMS] as const

export const auditStreamsContract = {
  listAuditStreams: get('/organization/audit-streams', {
    summary: 'Lists the streams that send the audit log of an organization to other systems',
    access: 'own-session',
    input: { query: z.object({ organizationId: optionalOrganization }) },
    answer: streamList,
    errors: [...organizationErrorsOf, auditErrors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION],
    budget: { d1: 1 },
    changes: [],
  }),
  createAuditStream: post('/organization/create-audit-stream', {
    ...changing,
    summary: 'Creates a stream; only this response contains the secret that signs the requests to a URL',
    input: { body: z.object({ organizationId: optionalOrganization, ...newStream }), example: newStreamExample },
    answer: stream.extend({ secret: z.string().nullable() }),
    errors: [...changeErrors, ...newStreamErrors],
    budget: { d1: 4 },
    changes: ['audit-stream'],
    audit: 'organization.create-audit-stream',
  }),
  updateAuditStream: post('/organization/update-audit-stream', {
    ...changing,
    summary: 'Renames, pauses or continues a stream, or replaces its secret; a stream continues where it stopped',
    input: { body: z.object({ organizationId: optionalOrganization, ...changedStream }) },
    answer: stream,
    errors: [...changeErrors, errors.AUDIT_STREAM_NOT_FOUND],
    budget: { d1: 4 },
    changes: ['audit-stream'],
    audit: 'organization.update-audit-stream',
  }),
  deleteAuditStream: post('/organization/delete-audit-stream', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'ends' },
    summary: 'Deletes a stream; records that it has not sent are not sent',
    input: { body: z.object({ organizationId: optionalOrganization, streamId: idInput }) },
    answer: z.object({ success: z.literal(true) }),
    errors: [...changeErrors, errors.AUDIT_STREAM_NOT_FOUND],
    budget: { d1: 4 },
    changes: ['audit-stream'],
    audit: 'organization.delete-audit-stream',
  }),
  testAuditStream: post('/organization/test-audit-stream', {
    access: 'recent-authentication',
    limits: { rate: { max: 20, window: minutes(10) } },
    summary: 'Sends a test record through a stream, and returns the failure if there is one',
    input: { body: z.object({ organizationId: optionalOrganization, streamId: idInput }) },
    answer: z.object({ failure: failure.nullable() }),
    errors: [...changeErrors, errors.AUDIT_STREAM_NOT_FOUND],
    budget: { d1: 3, outside: 1 },
    changes: [],
  }),
}
