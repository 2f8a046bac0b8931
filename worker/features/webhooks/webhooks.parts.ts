import { defineParts } from '../../http/feature.ts'
import { webhookJobs, writeMessages } from './deliver.ts'

export const webhooksParts = defineParts({
  steps: {
    recording: writeMessages,
  },
  jobs: webhookJobs,
})
