import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { jobsContract } from './jobs.contract.ts'
import { jobOperations } from './jobs.operations.ts'
import { listUndelivered, redeliver } from './undelivered.ts'

export const jobsEndpoints = defineEndpoints({
  routes: routes(jobsContract, {
    listUndelivered: ({ scope, query }) => listUndelivered(scope, query),
    redeliver: ({ scope, body }) => redeliver(scope, body),
  }),
  operations: jobOperations,
})
