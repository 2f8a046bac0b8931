import { defineFeature } from '../../http/feature.ts'
import { oneTimeTokenOptions } from './one-time-token.config.ts'
import { oneTimeTokenRoutes } from './one-time-token.routes.ts'

export const oneTimeToken = defineFeature({
  name: 'one-time-token',
  routes: oneTimeTokenRoutes,
  options: oneTimeTokenOptions,
})
