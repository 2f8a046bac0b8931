import { defineFeature } from '../../http/feature.ts'
import { passkeyOptions } from './passkey.config.ts'
import { passkeyRoutes } from './passkey.routes.ts'
import { deletePasskeysWhen } from './passkey.store.ts'
import { relyingParty } from './relying-party.ts'

export const passkey = defineFeature({
  name: 'passkey',
  routes: passkeyRoutes,
  options: passkeyOptions,
  // The screens tell password managers about deleted passkeys under the domain that they are for.
  publicConfiguration: (scope) => ({ features: { passkey: true }, passkey: { rpId: relyingParty(scope).id } }),
  endingAccess: (scope, userId, when) => ({ statements: [deletePasskeysWhen(scope.db, userId, when)] }),
})
