import { defineFeature } from '../../http/feature.ts'
import { passkeyOptions } from './passkey.config.ts'
import { passkeyErrors } from './passkey.errors.ts'
import { passkeyRoutes } from './passkey.routes.ts'
import { deletePasskeysWhen, describePasskeysOf, hasPasskey } from './passkey.store.ts'
import { relyingParty } from './relying-party.ts'

export const passkey = defineFeature({
  name: 'passkey',
  routes: passkeyRoutes,
  options: passkeyOptions,
  // The screens tell password managers about deleted passkeys under the domain that they are for.
  publicConfiguration: (scope) => ({
    features: { passkey: true, ...(passkeyOptions.of(scope).signUp ? { passkeySignUp: true } : {}) },
    passkey: { rpId: relyingParty(scope).id },
  }),
  takenValues: { 'passkeys.credential_id': { updating: passkeyErrors.PREVIOUSLY_REGISTERED } },
  aboutUser: { passkeys: ({ db }, userId) => describePasskeysOf(db, userId) },
  keepsWayIn: (_scope, userId) => hasPasskey(userId),
  endingAccess: (scope, userId, when) => ({ statements: [deletePasskeysWhen(scope.db, userId, when)] }),
})
