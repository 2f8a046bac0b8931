import { defineFeature } from '../../http/feature.ts'
import { emailVerificationRoutes } from './email-verification.routes.ts'

export const emailVerification = defineFeature({
  name: 'email-verification',
  routes: emailVerificationRoutes,
})
