import { defineFeature } from '../../http/feature.ts'
import { sessionRoutes } from './session.routes.ts'

export const session = defineFeature({
  name: 'session',
  routes: sessionRoutes,
})
