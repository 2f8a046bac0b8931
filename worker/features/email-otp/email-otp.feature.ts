import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { emailOtpOptions } from './email-otp.config.ts'
import type { OptionalPublicConfiguration } from './email-otp.contract.ts'

const publicEmailOtp = (scope: Scope): OptionalPublicConfiguration => ({
  features: { emailOtp: true },
  emailCode: { digits: emailOtpOptions.of(scope).otpLength },
  lifetimes: { emailCode: emailOtpOptions.of(scope).expiresIn },
})

export const emailOtp = defineFeature({
  name: 'email-otp',
  options: emailOtpOptions,
  publicConfiguration: publicEmailOtp,
  places: ['reactions'],
  gives: ['keeps'],
  endpoints: async () => (await import('./email-otp.endpoints.ts')).emailOtpEndpoints,
  parts: async () => (await import('./email-otp.parts.ts')).emailOtpParts,
  ends: async () => (await import('./email-otp.ends.ts')).emailOtpEnds,
})
