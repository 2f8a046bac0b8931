import { defineFeature } from '../../http/feature.ts'
import { databaseOptions } from '../../identity/database.config.ts'
import { sessionOptions } from '../../identity/sessions/sessions.config.ts'
import { claimByCookie } from '../../identity/sessions/sessions.ts'
import { minutes } from '../../kit/time.ts'

export const session = defineFeature({
  name: 'session',
  outlivesSession(scope) {
    const { enabled, maxAge } = sessionOptions.of(scope).cookieCache
    // A replica returns an ended session for its lag.
    const lag = databaseOptions.of(scope).readReplication ? minutes(1) : 0
    return enabled ? { here: Math.max(maxAge, lag), elsewhere: maxAge } : { here: lag }
  },
  steps: { identifying: claimByCookie },
  places: ['recording'],
  gives: ['jobs'],
  endpoints: async () => (await import('./session.endpoints.ts')).sessionEndpoints,
  parts: async () => (await import('./session.parts.ts')).sessionParts,
})
