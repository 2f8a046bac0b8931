import { defineFeature } from '../../http/feature.ts'
import { claimByCookie } from '../../identity/sessions/sessions.ts'
import { endedSessionJobs, feedEndedSessions } from './feed-ended-sessions.ts'
import { sessionOperations } from './session.operations.ts'
import { sessionRoutes } from './session.routes.ts'

export const session = defineFeature({
  name: 'session',
  steps: {
    identifying: claimByCookie,
    recording: feedEndedSessions,
  },
  routes: sessionRoutes,
  jobs: endedSessionJobs,
  operations: sessionOperations,
})
