import { defineFeature } from '../../http/feature.ts'
import { passkeyOptions } from './passkey.config.ts'
import type { OptionalPublicConfiguration } from './passkey.contract.ts'
import { passkeyErrors } from './passkey.errors.ts'
import { passkeyRoutes } from './passkey.routes.ts'
import { deletePasskeysWhen, describePasskeysOf, hasPasskey } from './passkey.store.ts'
import { relyingParty } from './relying-party.ts'
import { passkeyFactor } from './step-up.ts'

export const passkey = defineFeature({
  name: 'passkey',
  routes: passkeyRoutes,
  options: passkeyOptions,
  // The screens signal deleted passkeys to password managers under the domain of the passkeys.
  publicConfiguration: (scope): OptionalPublicConfiguration => ({
    features: { passkey: true, ...(passkeyOptions.of(scope).signUp ? { passkeySignUp: true } : {}) },
    passkey: { rpId: relyingParty(scope).id },
  }),
  takenValues: { 'passkeys.credential_id': { updating: passkeyErrors.PREVIOUSLY_REGISTERED } },
  aboutUser: { passkeys: ({ db }, userId) => describePasskeysOf(db, userId) },
  stepUp: [passkeyFactor],
  keepsWayIn: (_scope, userId) => hasPasskey(userId),
  endingAccess: (scope, userId, when) => ({ statements: [deletePasskeysWhen(scope.db, userId, when)] }),
})
