import { defineFeature } from '../../../http/feature.ts'
import { bearerOptions } from './bearer.config.ts'
import { claimByBearer, exposeToken } from './bearer.steps.ts'

export const bearer = defineFeature({
  name: 'bearer',
  steps: {
    identifying: claimByBearer,
    tokenSent: exposeToken,
  },
  options: bearerOptions,
  corsHeaders: () => ({ response: ['set-auth-token'] }),
})
