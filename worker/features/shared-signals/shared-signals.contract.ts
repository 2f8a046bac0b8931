import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { boundedRecord } from '../../kit/bounded-record.ts'
import { listOf } from '../../kit/page.ts'
import { minutes } from '../../kit/time.ts'
import { sharedSignalErrors as errors } from './shared-signals.errors.ts'
import { signalTypes } from './signal-types.ts'

const status = z.enum(['enabled', 'paused', 'disabled'])

const receiver = z
  .object({
    id: z.string(),
    name: z.string(),
    audience: z.string(),
    events: z.array(z.enum(signalTypes)).max(signalTypes.length),
    /** Null: the receiver polls. */
    url: z.string().nullable(),
    status,
    /** The receiver's reason for the status. */
    reason: z.string().nullable(),
    /** Events that wait for a poll. */
    waiting: z.number(),
    createdAt: z.date(),
  })
  .meta({ id: 'SignalReceiver' })

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'no control characters')

export const newReceiver = z.object({
  name: line(64),
  /** The `aud` of its events, as the receiver names itself. */
  audience: line(512),
  events: z.array(z.enum(signalTypes)).min(1).max(signalTypes.length).optional(),
  /** The URL for push (RFC 8935). Without it, the receiver polls (RFC 8936). */
  url: z.string().min(1).max(2048).optional(),
  /** The header Authorization of a push, such as `Bearer …`. */
  authorization: line(2048).optional(),
})

/** What `GET /config` returns while administrators register receivers. */
export interface OptionalPublicConfiguration {
  features: { signalReceivers: true }
}

/** SSF 1.0, section 8.1.1. */
const stream = z.object({
  stream_id: z.string(),
  iss: z.string(),
  aud: z.string(),
  events_supported: z.array(z.string()).max(signalTypes.length),
  events_requested: z.array(z.string()).max(signalTypes.length),
  events_delivered: z.array(z.string()).max(signalTypes.length),
  delivery: z.object({ method: z.string(), endpoint_url: z.string() }),
  min_verification_interval: z.number(),
})

/** SSF 1.0, section 8.1.2. */
const streamStatus = z.object({ stream_id: z.string(), status, reason: z.string().optional() })

const streamId = z.string().min(1).max(64)

/** Events of one poll. */
export const maxPolled = 100

const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SIGNAL_RECEIVERS

/** Of a change of one receiver. */
const refusals = [
  core.UNAUTHORIZED,
  refusal,
  httpErrors.NOT_FOUND,
  errors.SIGNAL_RECEIVER_NOT_FOUND,
  errors.SIGNAL_ADMINISTRATOR_HAS_CHANGED,
] as const

const success = z.object({ success: z.literal(true) })

export const sharedSignalsContract = {
  ssfConfiguration: get('/.well-known/ssf-configuration', {
    summary: 'Returns the metadata of the transmitter of security events (Shared Signals Framework 1.0)',
    access: 'visitor',
    // RFC 8615.
    at: { also: ['/.well-known/ssf-configuration'] },
    origins: { any: true },
    answer: z.object({
      spec_version: z.string(),
      issuer: z.string(),
      jwks_uri: z.string(),
      delivery_methods_supported: listOf(z.string()),
      configuration_endpoint: z.string().optional(),
      status_endpoint: z.string().optional(),
      verification_endpoint: z.string().optional(),
      authorization_schemes: z
        .array(z.object({ spec_urn: z.string() }))
        .max(1)
        .optional(),
      default_subjects: z.literal('ALL'),
    }),
    errors: [],
    budget: {},
    changes: [],
  }),
  listSignalReceivers: get('/admin/signal-receivers', {
    summary: 'Lists the registered receivers of security events, newest first',
    access: { admin: { signalReceiver: ['list'] }, refusal },
    answer: z.object({ receivers: z.array(receiver).max(100) }),
    errors: [core.UNAUTHORIZED, refusal, httpErrors.NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  createSignalReceiver: post('/admin/create-signal-receiver', {
    summary: 'Registers a receiver of security events; only this response contains its token',
    access: { admin: { signalReceiver: ['create'] }, refusal },
    accessRules: { recentFor: () => true },
    input: { body: newReceiver },
    answer: receiver.extend({ token: z.string() }),
    errors: [
      core.UNAUTHORIZED,
      refusal,
      httpErrors.NOT_FOUND,
      errors.INVALID_SIGNAL_ADDRESS,
      errors.MAXIMUM_NUMBER_OF_SIGNAL_RECEIVERS_REACHED,
      errors.SIGNAL_ADMINISTRATOR_HAS_CHANGED,
    ],
    budget: { d1: 2 },
    changes: ['signal-receiver'],
    audit: 'admin.create-signal-receiver',
  }),
  deleteSignalReceiver: post('/admin/delete-signal-receiver', {
    limits: { whenFull: 'ends' },
    summary: 'Deletes a receiver of security events with the events that wait for it',
    access: { admin: { signalReceiver: ['delete'] }, refusal },
    accessRules: { recentFor: () => true },
    input: { body: z.object({ id: streamId }) },
    answer: success,
    errors: refusals,
    budget: { d1: 2 },
    changes: ['signal-receiver'],
    audit: 'admin.delete-signal-receiver',
  }),
  setSignalReceiverStatus: post('/admin/set-signal-receiver-status', {
    summary: 'Enables, pauses or disables the stream of a receiver of security events',
    access: { admin: { signalReceiver: ['update'] }, refusal },
    accessRules: { recentFor: () => true },
    input: { body: z.object({ id: streamId, status }) },
    answer: success,
    errors: refusals,
    budget: { d1: 2 },
    changes: ['signal-receiver'],
    audit: 'admin.set-signal-receiver-status',
    limits: { whenFull: 'secures', creates: false },
  }),
  verifySignalReceiver: post('/admin/verify-signal-receiver', {
    summary: 'Sends a verification event to a receiver of security events, at most once a minute',
    access: { admin: { signalReceiver: ['update'] }, refusal },
    input: { body: z.object({ id: streamId }) },
    answer: success,
    errors: [...refusals, errors.TOO_MANY_VERIFICATIONS],
    limits: { rate: { max: 30, window: minutes(1) } },
    budget: { d1: 3 },
    changes: ['signal-receiver', 'signal'],
    audit: 'admin.verify-signal-receiver',
  }),
  pollSignals: post('/ssf/poll', {
    summary: 'Returns waiting security events to their receiver, and deletes those that it acknowledges (RFC 8936)',
    access: 'client',
    input: {
      body: z.object({
        maxEvents: z.int().min(0).max(10_000).optional(),
        /** The answer is immediate in any case. */
        returnImmediately: z.boolean().optional(),
        ack: z.array(z.string().max(64)).max(1000).optional(),
        setErrs: boundedRecord(
          z.string().max(64),
          z.object({ err: z.string().max(64), description: z.string().max(1000).optional() }),
          1000,
        ).optional(),
      }),
    },
    answer: z.object({ sets: z.record(z.string(), z.string()), moreAvailable: z.boolean().optional() }),
    errors: [errors.INVALID_SIGNAL_TOKEN, errors.NOT_A_POLL_STREAM],
    // Three of them until the signing keys exist and are cached.
    budget: { d1: 5 },
    changes: ['signal'],
    // A receiver acknowledges signals, each of which follows from a recorded change.
    audit: null,
    limits: { whenFull: 'secures', creates: false },
  }),
  readSignalStream: get('/ssf/stream', {
    summary: 'Returns the configuration of the stream of a receiver (Shared Signals Framework 1.0)',
    access: 'client',
    input: { query: z.object({ stream_id: streamId.optional() }) },
    answer: z.union([stream, z.array(stream).max(1)]),
    errors: [errors.INVALID_SIGNAL_TOKEN, errors.SIGNAL_STREAM_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  readSignalStatus: get('/ssf/status', {
    summary: 'Returns the status of the stream of a receiver (Shared Signals Framework 1.0)',
    access: 'client',
    input: { query: z.object({ stream_id: streamId }) },
    answer: streamStatus,
    errors: [errors.INVALID_SIGNAL_TOKEN, errors.SIGNAL_STREAM_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  setSignalStatus: post('/ssf/status', {
    summary: 'Enables, pauses or disables the stream of a receiver (Shared Signals Framework 1.0)',
    access: 'client',
    input: { body: z.object({ stream_id: streamId, status, reason: line(256).optional() }) },
    answer: streamStatus,
    errors: [errors.INVALID_SIGNAL_TOKEN, errors.SIGNAL_STREAM_NOT_FOUND],
    budget: { d1: 2 },
    changes: ['signal-receiver'],
    audit: 'ssf.status',
    limits: { whenFull: 'secures', creates: false },
  }),
  verifySignalStream: post('/ssf/verify', {
    summary: 'Sends a verification event to the receiver (Shared Signals Framework 1.0)',
    access: 'client',
    input: { body: z.object({ stream_id: streamId, state: z.string().max(256).optional() }) },
    // No content.
    answer: z.literal(''),
    status: 204,
    errors: [errors.INVALID_SIGNAL_TOKEN, errors.SIGNAL_STREAM_NOT_FOUND, errors.TOO_MANY_VERIFICATIONS],
    limits: { rate: { max: 30, window: minutes(1) } },
    budget: { d1: 2 },
    changes: ['signal'],
    audit: 'ssf.verify',
  }),
}
