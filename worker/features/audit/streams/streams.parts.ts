import { defineParts } from '../../../http/feature.ts'
import { auditStreamJobs, deliverSealed, wakeStreams } from './deliver.ts'

export const auditStreamingParts = defineParts({
  jobs: auditStreamJobs,
  cron: {
    scheduled: wakeStreams,
    eachMinute: deliverSealed,
  },
})
