import { defineFeature } from '../../http/feature.ts'
import { apiReferenceOptions } from './api-reference.config.ts'
import { apiReferenceRoutes } from './api-reference.routes.ts'

export const apiReference = defineFeature({
  name: 'api-reference',
  routes: apiReferenceRoutes,
  options: apiReferenceOptions,
})
