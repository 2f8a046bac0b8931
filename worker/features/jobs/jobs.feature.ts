import { defineFeature } from '../../http/feature.ts'

/** Lists and retries undelivered jobs of the outbox (identity/jobs), for administrators and servers. */
export const jobs = defineFeature({
  name: 'jobs',
  gives: ['jobs', 'stored'],
  endpoints: async () => (await import('./jobs.endpoints.ts')).jobsEndpoints,
  parts: async () => (await import('./jobs.parts.ts')).jobsParts,
  ends: async () => (await import('./jobs.ends.ts')).jobsEnds,
})
