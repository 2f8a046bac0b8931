import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { basePath } from '../../identity/settings.ts'
import { issuerOf } from '../jwt/signing-keys.ts'
import { sharedSignalOptions, sharedSignalsAreOn } from './shared-signals.config.ts'
import { sharedSignalsContract } from './shared-signals.contract.ts'
import { signalJobs, writeSignals } from './signals.ts'

/** Transmitter of the OpenID Shared Signals Framework 1.0. */
export const sharedSignals = defineFeature({
  name: 'shared-signals',
  steps: { recording: writeSignals },
  routes: routes(sharedSignalsContract, {
    // SSF 1.0, section 7.1. Receivers are configured, so that the document has no endpoints that manage streams.
    ssfConfiguration: ({ scope }) => ({
      spec_version: '1_0',
      issuer: issuerOf(scope),
      jwks_uri: `${scope.settings.baseUrl}${basePath}/jwks`,
      delivery_methods_supported: ['urn:ietf:rfc:8935'],
      default_subjects: 'ALL' as const,
    }),
  }),
  options: sharedSignalOptions,
  on: sharedSignalsAreOn,
  jobs: signalJobs,
})
