import { defineFeature } from '../../http/feature.ts'
import { databaseOptions } from '../../http/open-scope.ts'
import { sessionOptions } from '../../identity/sessions/sessions.config.ts'
import { claimByCookie } from '../../identity/sessions/sessions.ts'
import { minutes } from '../../kit/time.ts'
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
    // A replica returns an ended session for its lag.
    const lag = databaseOptions.of(scope).readReplication ? minutes(1) : 0
    return enabled ? { here: Math.max(maxAge, lag), elsewhere: maxAge } : { here: lag }
  },
  operations: sessionOperations,
})
