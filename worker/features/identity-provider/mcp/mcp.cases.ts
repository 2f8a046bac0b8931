import type { FeatureCases } from '../../../testing/cases.ts'

export const cases: FeatureCases = {
  config: { mcp: { enabled: true } },
  withoutFaults: {
    'the use cases of /oauth2 by other paths': ['GET /mcp/authorize', 'POST /mcp/token', 'POST /mcp/register'],
  },
}
