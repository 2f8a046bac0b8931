import { defineFeature } from '../../http/feature.ts'
import { jwtOptions } from './jwt.config.ts'

export const jwt = defineFeature({
  name: 'jwt',
  options: jwtOptions,
  corsHeaders: () => ({ response: ['set-auth-jwt'] }),
  outlivesSession: (scope) => ({ elsewhere: jwtOptions.of(scope).expiresIn }),
  places: ['sessionIssued', 'sessionRead'],
  gives: ['cron', 'stored'],
  endpoints: async () => (await import('./jwt.endpoints.ts')).jwtEndpoints,
  parts: async () => (await import('./jwt.parts.ts')).jwtParts,
  ends: async () => (await import('./jwt.ends.ts')).jwtEnds,
})
