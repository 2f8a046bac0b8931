import { defineFeature } from '../../http/feature.ts'
import { statusRoutes } from './status.routes.ts'

export const status = defineFeature({
  name: 'status',
  routes: statusRoutes,
})
