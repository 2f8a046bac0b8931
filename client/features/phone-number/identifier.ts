import { auth } from '../../lib/api.ts'
import { looksLikePhone, normalizePhone } from '../../lib/phone.ts'
import type { Identifier } from '../../lib/ways.ts'

export const phoneIdentifier: Identifier = {
  id: 'phone-number',
  when: (features) => features.phoneNumber,
  noun: 'phoneNumber',
  matches: looksLikePhone,
  send: ({ identifier, password, rememberMe, callbackURL }, options) =>
    auth.signIn.phoneNumber({ phoneNumber: normalizePhone(identifier), password, rememberMe, callbackURL }, options),
}
