import type { FeatureCases } from '../../testing/cases.ts'
import type { TestApp } from '../../testing/harness.ts'
import type { Person } from '../../testing/people.ts'
import { administering, owning } from '../../testing/set-ups.ts'

const newStream = { name: 'SIEM', sink: { type: 'http', url: 'https://siem.acme.example.org/audit' } }

async function streaming(app: TestApp, person: Person) {
  const { device } = await owning(app, person)
  const { body } = await device.post('/organization/create-audit-stream', newStream)
  return { device, given: body.id }
}

async function administeringStream(app: TestApp, person: Person) {
  const { device } = await administering(app, person)
  const { body } = await device.post('/admin/create-audit-stream', newStream)
  return { device, given: body.id }
}

export const cases: FeatureCases = {
  // As many streams of the deployment as the fault test needs.
  config: { audit: { maxStreams: 20 } },
  faults: {
    'an organization exports its audit log': {
      endpoint: 'POST /organization/export-audit',
      before: owning,
      input: () => ({ format: 'ndjson' }),
    },
    'an organization exports its access review': {
      endpoint: 'POST /organization/export-access-review',
      before: owning,
      input: () => ({ format: 'ndjson' }),
    },
    'an organization creates a stream of its audit log': {
      endpoint: 'POST /organization/create-audit-stream',
      before: owning,
      input: () => newStream,
    },
    'a stream of an audit log is paused': {
      endpoint: 'POST /organization/update-audit-stream',
      before: streaming,
      input: (streamId) => ({ streamId, state: 'paused' }),
    },
    'a stream of an audit log is deleted': {
      endpoint: 'POST /organization/delete-audit-stream',
      before: streaming,
      input: (streamId) => ({ streamId }),
      afterwards: ['AUDIT_STREAM_NOT_FOUND'],
    },
    'an administrator creates a stream of the audit log': {
      endpoint: 'POST /admin/create-audit-stream',
      before: administering,
      input: () => newStream,
    },
    'an administrator pauses a stream of the audit log': {
      endpoint: 'POST /admin/update-audit-stream',
      before: administeringStream,
      input: (streamId) => ({ streamId, state: 'paused' }),
    },
    'an administrator deletes a stream of the audit log': {
      endpoint: 'POST /admin/delete-audit-stream',
      before: administeringStream,
      input: (streamId) => ({ streamId }),
      afterwards: ['AUDIT_STREAM_NOT_FOUND'],
    },
  },
}
