import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { jobs as outbox } from '../../identity/jobs/jobs.table.ts'
import { messageJobs } from '../../identity/messages/messages.ts'
import { jobsContract } from './jobs.contract.ts'
import { jobOperations } from './jobs.operations.ts'
import { listUndelivered, redeliver } from './undelivered.ts'

/** Lists and retries undelivered jobs of the outbox (identity/jobs), for administrators and servers. */
export const jobs = defineFeature({
  name: 'jobs',
  routes: routes(jobsContract, {
    listUndelivered: ({ scope, query }) => listUndelivered(scope, query),
    redeliver: ({ scope, body }) => redeliver(scope, body),
  }),
  operations: jobOperations,
  jobs: messageJobs,
  sealed: [{ table: outbox, column: outbox.payload }],
})
