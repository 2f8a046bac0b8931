import { defineFeature } from '../../http/feature.ts'
import { claimByCookie } from '../../identity/sessions/sessions.ts'
import { sessionRoutes } from './session.routes.ts'
import { SessionOperations } from './session.rpc.ts'

export const session = defineFeature({
  name: 'session',
  steps: {
    identifying: claimByCookie,
  },
  routes: sessionRoutes,
  operations: SessionOperations,
})
