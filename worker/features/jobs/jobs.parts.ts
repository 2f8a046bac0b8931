import { defineParts } from '../../http/feature.ts'
import { messageJobs } from '../../identity/messages/messages.ts'

export const jobsParts = defineParts({
  jobs: messageJobs,
})
