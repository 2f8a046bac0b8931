import { defineFeature } from '../../http/feature.ts'
import { sharedSignalOptions, sharedSignalsAreOn } from './shared-signals.config.ts'
import type { OptionalPublicConfiguration } from './shared-signals.contract.ts'

/** Transmitter of the OpenID Shared Signals Framework 1.0. */
export const sharedSignals = defineFeature({
  name: 'shared-signals',
  options: sharedSignalOptions,
  publicConfiguration: (scope): OptionalPublicConfiguration | Record<string, never> =>
    sharedSignalOptions.of(scope).registration ? { features: { signalReceivers: true } } : {},
  on: sharedSignalsAreOn,
  places: ['recording'],
  gives: ['jobs', 'cron', 'stored'],
  endpoints: async () => (await import('./shared-signals.endpoints.ts')).sharedSignalsEndpoints,
  parts: async () => (await import('./shared-signals.parts.ts')).sharedSignalsParts,
  ends: async () => (await import('./shared-signals.ends.ts')).sharedSignalsEnds,
})
