import { defineFeature } from '../../http/feature.ts'
import { multiSessionOptions } from './multi-session.config.ts'
import { multiSessionRoutes } from './multi-session.routes.ts'

export const multiSession = defineFeature({
  name: 'multi-session',
  routes: multiSessionRoutes,
  options: multiSessionOptions,
  publicConfiguration: (scope) => ({
    features: { multiSession: true },
    multiSession: { maximumSessions: multiSessionOptions.of(scope).maximumSessions },
  }),
})
