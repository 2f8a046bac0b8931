import { defineParts } from '../../http/feature.ts'
import { endedSessionJobs, feedEndedSessions } from './feed-ended-sessions.ts'

export const sessionParts = defineParts({
  steps: {
    recording: feedEndedSessions,
  },
  jobs: endedSessionJobs,
})
