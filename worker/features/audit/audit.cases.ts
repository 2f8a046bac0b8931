import type { FeatureCases } from '../../testing/cases.ts'
import { owning } from '../../testing/set-ups.ts'

export const cases: FeatureCases = {
  faults: {
    'an organization exports its audit log': {
      endpoint: 'POST /organization/export-audit',
      before: owning,
      input: () => ({ format: 'ndjson' }),
    },
  },
}
