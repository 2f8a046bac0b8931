import { defineFeature } from '../../http/feature.ts'
import { sessionOptions } from '../../identity/sessions/sessions.config.ts'
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
  outlivesSession(scope) {
    const { enabled, maxAge } = sessionOptions.of(scope).cookieCache
    return enabled ? { here: maxAge, elsewhere: maxAge } : {}
  },
  operations: sessionOperations,
})
