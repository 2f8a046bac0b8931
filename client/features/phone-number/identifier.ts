import { auth } from '../../lib/api.ts'
import { looksLikePhone, normalizePhone } from '../../lib/phone.ts'
import type { Identifier } from '../../lib/ways.ts'

/** A phone number in the first field of the sign-in form. */
export const phoneIdentifier: Identifier = {
  id: 'phone-number',
  when: (features) => features.phoneNumber,
  noun: { en: 'phone number', de: 'Telefonnummer' },
  matches: looksLikePhone,
  send: ({ identifier, password, rememberMe, callbackURL }, options) =>
    auth.signIn.phoneNumber({ phoneNumber: normalizePhone(identifier), password, rememberMe, callbackURL }, options),
}
