import type { FeatureCases } from '../../../testing/cases.ts'

export const cases: FeatureCases = {
  config: { securityText: { contact: ['mailto:security@example.com'] } },
}
