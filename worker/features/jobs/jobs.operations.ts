import { operation } from '../../http/operations.ts'
import { jobsContract } from './jobs.contract.ts'
import { jobErrors as errors } from './jobs.errors.ts'
import { listUndelivered, redeliver } from './undelivered.ts'

const { listUndelivered: lists, redeliver: retries } = jobsContract

export const jobOperations = {
  undelivered: operation(
    {
      summary:
        'Lists failed jobs (mails, webhooks, billing events and others) that wait for a retry or were given up, newest first.',
      permission: 'jobs:read',
      input: lists.input.query,
      answer: lists.answer,
      errors: [errors.INVALID_CURSOR],
      budget: lists.budget,
      changes: [],
    },
    (scope, query) => listUndelivered(scope, query),
  ),
  redeliver: operation(
    {
      summary: 'Retries one job immediately, or schedules all jobs of a kind for a retry.',
      permission: 'jobs:write',
      input: retries.input.body,
      answer: retries.answer,
      errors: [errors.JOB_NOT_FOUND],
      budget: retries.budget,
      changes: ['job'],
      audit: 'server.redeliver',
    },
    (scope, which) => redeliver(scope, which),
  ),
}
