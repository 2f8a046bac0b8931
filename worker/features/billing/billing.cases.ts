import type { FeatureCases } from '../../testing/cases.ts'

export const cases: FeatureCases = {
  // No server listens on this port.
  config: { billing: { accessToken: 'token', server: 'http://127.0.0.1:9' } },
  withoutFaults: { 'billing/faults.test.ts': ['POST /usage/ingest', 'POST /polar/webhooks'] },
}
