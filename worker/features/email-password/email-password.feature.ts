import { defineFeature } from '../../http/feature.ts'
import { emailPasswordRoutes } from './email-password.routes.ts'

export const emailPassword = defineFeature({
  name: 'email-password',
  routes: emailPasswordRoutes,
})
