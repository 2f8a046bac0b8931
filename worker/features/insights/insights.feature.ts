import { defineFeature } from '../../http/feature.ts'

/** Daily numbers of the whole deployment, for the overview of the console. */
export const insights = defineFeature({
  name: 'insights',
  gives: ['cron'],
  endpoints: async () => (await import('./insights.endpoints.ts')).insightsEndpoints,
  parts: async () => (await import('./insights.parts.ts')).insightsParts,
})
