import { auth } from '../../lib/api.ts'
import { looksLikePhone, normalizePhone } from '../../lib/phone.ts'
import type { Identifier } from '../../lib/ways.ts'
import { noun } from './noun.ts'

/** A phone number in the first field of the sign-in form. */
export const phoneIdentifier: Identifier = {
  id: 'phone-number',
  when: (features) => features.phoneNumber,
  noun,
  matches: looksLikePhone,
  send: ({ identifier, password, rememberMe, callbackURL }, options) =>
    auth.signIn.phoneNumber({ phoneNumber: normalizePhone(identifier), password, rememberMe, callbackURL }, options),
}
