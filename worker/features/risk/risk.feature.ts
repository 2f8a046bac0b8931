import { defineFeature } from '../../http/feature.ts'
import { riskOptions } from './risk.config.ts'
import { refuseBlocked } from './threats/known-defences.ts'

/** Assesses sign-ins with a password: a right one from an unknown place is not enough. */
export const risk = defineFeature({
  name: 'risk',
  options: riskOptions,
  on: (options) => riskOptions.of({ options }).level !== 'off',
  publicConfiguration: () => ({ features: { risk: true } }) as const,
  places: ['signingIn', 'passwordRefused'],
  steps: { guarding: refuseBlocked },
  gives: ['jobs', 'cron'],
  endpoints: async () => (await import('./risk.endpoints.ts')).riskEndpoints,
  parts: async () => (await import('./risk.parts.ts')).riskParts,
})
