import type { FeatureCases } from '../../testing/cases.ts'

export const cases: FeatureCases = {
  // No endpoint is guarded.
  config: { captcha: { provider: 'hcaptcha', siteKey: 'site', secretKey: 'secret', endpoints: ['/nowhere'] } },
}
