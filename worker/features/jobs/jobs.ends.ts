import { defineEnds } from '../../http/feature.ts'
import { jobs as outbox } from '../../identity/jobs/jobs.table.ts'

export const jobsEnds = defineEnds({
  stored: {
    sealed: [{ table: outbox, column: outbox.payload }],
  },
})
