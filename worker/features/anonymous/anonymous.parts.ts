import { defineParts } from '../../http/feature.ts'
import { adoptGuest, anonymousJobs } from './anonymous.steps.ts'
import { deleteUnseenGuests } from './unseen-guests.ts'

export const anonymousParts = defineParts({
  steps: {
    signingIn: adoptGuest,
  },
  jobs: anonymousJobs,
  cron: { scheduled: deleteUnseenGuests },
})
