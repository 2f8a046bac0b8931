import { defineParts } from '../../http/feature.ts'
import { passkeyErrors } from './passkey.errors.ts'
import { describePasskeysOf } from './passkey.store.ts'
import { askForPasskey } from './second-factor.ts'
import { passkeyFactor } from './step-up.ts'

export const passkeyParts = defineParts({
  steps: { signingIn: askForPasskey },
  userFields: { taken: { 'passkeys.credential_id': { updating: passkeyErrors.PREVIOUSLY_REGISTERED } } },
  aboutUser: { passkeys: ({ db }, userId) => describePasskeysOf(db, userId) },
  wayIn: { stepUp: [passkeyFactor] },
})
