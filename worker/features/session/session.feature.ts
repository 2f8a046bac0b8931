import { defineFeature } from '../../http/feature.ts'
import { claimByCookie } from '../../identity/sessions/sessions.ts'
import { endedSessionJobs, feedEndedSessions } from './feed-ended-sessions.ts'
import { sessionRoutes } from './session.routes.ts'
import { SessionOperations } from './session.rpc.ts'

export const session = defineFeature({
  name: 'session',
  steps: {
    identifying: claimByCookie,
    recording: feedEndedSessions,
  },
  routes: sessionRoutes,
  operations: SessionOperations,
  jobs: endedSessionJobs,
})
