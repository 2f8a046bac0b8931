import { defineFeature } from '../../../http/feature.ts'
import { bearerOptions } from './bearer.config.ts'
import { bindIfProved, claimByBearer, exposeToken } from './bearer.steps.ts'

export const bearer = defineFeature({
  name: 'bearer',
  steps: {
    identifying: claimByBearer,
    signingIn: bindIfProved,
    tokenSent: exposeToken,
  },
  options: bearerOptions,
  corsHeaders: () => ({ request: ['dpop'], response: ['set-auth-token'] }),
  endpoints: async () => (await import('./bearer.endpoints.ts')).bearerEndpoints,
})
