import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'

export type Stream = AnswerOf<'/admin/audit-streams'>['streams'][number]
export type Created = AnswerOf<'/admin/create-audit-stream'>
type NewStream = Parameters<typeof auth.admin.createAuditStream>[0]
type Changes = Parameters<typeof auth.admin.updateAuditStream>[0]

/** The calls for the streams of one log. */
export type StreamCalls = typeof deploymentStreams

export const deploymentStreams = {
  key: '',
  list: () => auth.admin.auditStreams(),
  create: (stream: NewStream) => auth.admin.createAuditStream(stream),
  update: (changes: Changes) => auth.admin.updateAuditStream(changes),
  delete: (streamId: string) => auth.admin.deleteAuditStream({ streamId }),
  test: (streamId: string) => auth.admin.testAuditStream({ streamId }),
}

export const organizationStreams = (organizationId: string): StreamCalls => ({
  key: organizationId,
  list: () => auth.organization.auditStreams({ query: { organizationId } }),
  create: (stream) => auth.organization.createAuditStream({ organizationId, ...stream }),
  update: (changes) => auth.organization.updateAuditStream({ organizationId, ...changes }),
  delete: (streamId) => auth.organization.deleteAuditStream({ organizationId, streamId }),
  test: (streamId) => auth.organization.testAuditStream({ organizationId, streamId }),
})
