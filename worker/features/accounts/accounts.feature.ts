import { defineFeature } from '../../http/feature.ts'
import { accountsRoutes } from './accounts.routes.ts'

export const accounts = defineFeature({
  name: 'accounts',
  routes: accountsRoutes,
})
