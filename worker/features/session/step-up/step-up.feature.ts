import { defineFeature } from '../../../http/feature.ts'

/** Authentication inside a session, for actions that require `recent-authentication`. */
export const stepUp = defineFeature({
  name: 'step-up',
  gives: ['wayIn'],
  endpoints: async () => (await import('./step-up.endpoints.ts')).stepUpEndpoints,
  parts: async () => (await import('./step-up.parts.ts')).stepUpParts,
})
