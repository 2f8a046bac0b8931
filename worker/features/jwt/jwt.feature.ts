import { defineFeature } from '../../http/feature.ts'
import { jwtOptions } from './jwt.config.ts'
import { jwtRoutes } from './jwt.routes.ts'
import { deleteEndedKeys } from './signing-keys.ts'

export const jwt = defineFeature({
  name: 'jwt',
  routes: jwtRoutes,
  options: jwtOptions,
  scheduled: deleteEndedKeys,
})
