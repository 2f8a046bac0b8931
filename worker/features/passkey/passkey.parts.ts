import { defineParts } from '../../http/feature.ts'
import { passkeyErrors } from './passkey.errors.ts'
import { describePasskeysOf } from './passkey.store.ts'
import { passkeyFactor } from './step-up.ts'

export const passkeyParts = defineParts({
  userFields: { taken: { 'passkeys.credential_id': { updating: passkeyErrors.PREVIOUSLY_REGISTERED } } },
  aboutUser: { passkeys: ({ db }, userId) => describePasskeysOf(db, userId) },
  wayIn: { stepUp: [passkeyFactor] },
})
