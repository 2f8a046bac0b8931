import { defineParts } from '../../http/feature.ts'
import { requireCaptcha } from './captcha.steps.ts'

export const captchaParts = defineParts({
  steps: {
    guarding: requireCaptcha,
  },
})
