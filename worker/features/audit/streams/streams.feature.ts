import { defineFeature } from '../../../http/feature.ts'
import { auditOptions } from '../../../identity/audit/audit.config.ts'

/** Streams of the audit log: their delivery, and those of the deployment, which need no organizations. */
export const auditStreaming = defineFeature({
  name: 'audit-streams',
  options: auditOptions,
  gives: ['jobs', 'cron', 'stored'],
  endpoints: async () => (await import('./streams.endpoints.ts')).auditStreamingEndpoints,
  parts: async () => (await import('./streams.parts.ts')).auditStreamingParts,
  ends: async () => (await import('./streams.ends.ts')).auditStreamingEnds,
})
