import { defineFeature } from '../../http/feature.ts'
import { emailOtpOptions } from './email-otp.config.ts'
import { publicEmailOtp } from './email-otp.hooks.ts'
import { emailOtpRoutes } from './email-otp.routes.ts'

export const emailOtp = defineFeature({
  name: 'email-otp',
  routes: emailOtpRoutes,
  options: emailOtpOptions,
  waysIn: ['mailbox'],
  publicConfiguration: publicEmailOtp,
})
