import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { jobErrors as errors } from './jobs.errors.ts'

const undeliveredJob = z
  .object({
    id: z.string(),
    /** The kind and, after a slash, its target: `mail`, `webhook/acme`. */
    kind: z.string(),
    /**
     * The dispatcher runs jobs of one key in order. The key names, for example, the user or organization of a webhook.
     */
    key: z.string().nullable(),
    /** The event of a webhook. */
    type: z.string().nullable(),
    /** `failed`: given up. */
    state: z.enum(['waiting', 'failed']),
    attempts: z.number(),
    lastError: z.string().nullable(),
    createdAt: z.date(),
    /** The time of the next attempt; null after the job is given up. */
    nextAt: z.date().nullable(),
  })
  .meta({ id: 'UndeliveredJob' })

export const undeliveredQuery = z.object({
  kind: z.string().max(512).optional(),
  limit: z.coerce.number<number | string>().int().min(1).max(200).optional(),
  /** The `nextCursor` of the previous page. */
  cursor: z.string().max(512).optional(),
})

/** One job, or all jobs of a kind. */
export const redeliverInput = z.union([
  z.strictObject({ id: z.string().max(512) }),
  z.strictObject({ kind: z.string().min(1).max(512) }),
])

export const jobsContract = {
  listUndelivered: get('/admin/undelivered', {
    summary: 'Lists failed jobs (mails, webhooks and others) that wait for a retry or were given up, newest first',
    access: { admin: { job: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_JOBS },
    input: { query: undeliveredQuery },
    answer: z.object({ jobs: z.array(undeliveredJob).max(200), nextCursor: z.string().nullable() }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_JOBS, errors.INVALID_CURSOR],
    budget: { d1: 2 },
    changes: [],
  }),
  redeliver: post('/admin/redeliver', {
    summary: 'Retries one undelivered job immediately, or schedules all jobs of a kind for a retry',
    access: { admin: { job: ['redeliver'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_REDELIVER_JOBS },
    input: { body: redeliverInput },
    answer: z.object({
      /** Whether the job is done. Always false for a kind, because its jobs run after the response. */
      delivered: z.boolean(),
      /** The number of jobs that are due again. */
      revived: z.number(),
    }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_REDELIVER_JOBS, errors.JOB_NOT_FOUND],
    // The job's own requests count for its kind.
    budget: { d1: 12, durable: 4, outside: 8 },
    changes: ['job'],
    audit: 'admin.redeliver',
    limits: { creates: false },
  }),
}
