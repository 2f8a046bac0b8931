import { defineFeature } from '../../http/feature.ts'
import { nameByNumber } from './check-code.ts'
import { phoneNumberOptions } from './phone-number.config.ts'
import { phoneNumberErrors } from './phone-number.errors.ts'
import { endNumber, numberTakenAtSignUp, publicPhoneNumber } from './phone-number.hooks.ts'
import { phoneNumberRoutes } from './phone-number.routes.ts'

export const phoneNumber = defineFeature({
  name: 'phone-number',
  routes: phoneNumberRoutes,
  options: phoneNumberOptions,
  waysIn: ['phone'],
  publicConfiguration: publicPhoneNumber,
  shows: { user: ['phoneNumber', 'phoneNumberVerified'] },
  names: ({ phoneNumber }) => (phoneNumber ? [nameByNumber(phoneNumber)] : []),
  takenValues: {
    'users.phone_number': { updating: phoneNumberErrors.PHONE_NUMBER_ALREADY_EXISTS, creating: numberTakenAtSignUp },
  },
  endingAccess: endNumber,
})
