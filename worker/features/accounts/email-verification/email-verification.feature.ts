import { defineFeature } from '../../../http/feature.ts'

export const emailVerification = defineFeature({
  name: 'email-verification',
  endpoints: async () => (await import('./email-verification.endpoints.ts')).emailVerificationEndpoints,
})
