import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import type { OptionalPublicConfiguration } from './two-factor.contract.ts'

/** The public configuration for the hosted screens. */
function publicTwoFactor(scope: Scope): OptionalPublicConfiguration {
  const { totpOptions, otpOptions, trustDeviceMaxAge } = twoFactorOptions.of(scope)
  return {
    features: { twoFactor: true },
    twoFactor: {
      totp: totpOptions.disable ? null : { digits: totpOptions.digits },
      otp: otpOptions.disable ? null : { digits: otpOptions.digits },
      trustDeviceMaxAge,
    },
    lifetimes: { secondFactorCode: otpOptions.period },
  }
}

export const twoFactor = defineFeature({
  name: 'two-factor',
  options: twoFactorOptions,
  publicConfiguration: publicTwoFactor,
  shows: { user: ['twoFactorEnabled'] },
  places: ['signingIn', 'sessionIssued'],
  userFacts: { hasSecondFactor: (user) => user.twoFactorEnabled },
  gives: ['wayIn', 'cron', 'revokes', 'stored'],
  endpoints: async () => (await import('./two-factor.endpoints.ts')).twoFactorEndpoints,
  parts: async () => (await import('./two-factor.parts.ts')).twoFactorParts,
  ends: async () => (await import('./two-factor.ends.ts')).twoFactorEnds,
})
