import { defineFeature } from '../../http/feature.ts'
import { createsAutomatically, passkeyOptions } from './passkey.config.ts'
import type { OptionalPublicConfiguration } from './passkey.contract.ts'
import { relyingParty } from './relying-party.ts'

export const passkey = defineFeature({
  name: 'passkey',
  options: passkeyOptions,
  // The screens signal deleted passkeys to password managers under the domain of the passkeys.
  publicConfiguration: (scope): OptionalPublicConfiguration => ({
    features: { passkey: true, ...(passkeyOptions.of(scope).signUp ? { passkeySignUp: true } : {}) },
    passkey: {
      rpId: relyingParty(scope).id,
      automatic: createsAutomatically(scope),
      ...(passkeyOptions.of(scope).secondFactor ? { secondFactor: true } : {}),
    },
  }),
  places: ['signingIn'],
  gives: ['userFields', 'aboutUser', 'wayIn', 'keeps', 'revokes'],
  endpoints: async () => (await import('./passkey.endpoints.ts')).passkeyEndpoints,
  parts: async () => (await import('./passkey.parts.ts')).passkeyParts,
  ends: async () => (await import('./passkey.ends.ts')).passkeyEnds,
})
