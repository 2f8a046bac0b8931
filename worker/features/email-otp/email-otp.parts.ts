import { defineParts } from '../../http/feature.ts'
import { mailCodeOnSignUp } from './email-otp.steps.ts'

export const emailOtpParts = defineParts({
  steps: {
    reactions: { 'user.created': mailCodeOnSignUp },
  },
})
