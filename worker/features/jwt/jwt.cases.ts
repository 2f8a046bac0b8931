import type { FeatureCases } from '../../testing/cases.ts'

export const cases: FeatureCases = {
  // Without this option GET /token rejects keys, which its contract does not describe.
  config: { jwt: { forApiKeys: true } },
}
