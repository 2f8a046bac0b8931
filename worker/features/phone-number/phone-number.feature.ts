import { defineFeature } from '../../http/feature.ts'
import type { Caller, Scope, StepUpFactor } from '../../identity/scope.ts'
import { stepUpErrors as errors } from '../../identity/sign-in/step-up.errors.ts'
import { completeStepUp } from '../../identity/sign-in/step-up.ts'
import { verifyConfirmationCode } from '../../identity/sign-in/step-up-codes.ts'
import { nameByNumber, sendConfirmationCode, stepUpKind } from './codes.ts'
import { phoneCodeRules, phoneNumberOptions } from './phone-number.config.ts'
import { phoneNumberErrors } from './phone-number.errors.ts'
import { phoneNumberRoutes } from './phone-number.routes.ts'
import {
  changeNumber,
  endNumber,
  numberEvent,
  numberTakenAtSignUp,
  publicPhoneNumber,
  takeNumber,
} from './phone-number.steps.ts'
import { numberOpens } from './phone-number.store.ts'
import { isRecentlyAdded } from './recent-number.ts'

/** A code to the verified number. A number on probation is not offered. */
const phoneFactor: StepUpFactor = {
  method: 'phone-code',
  factor: 'first',
  isOffered: (scope, user) => user.phoneNumber !== null && user.phoneNumberVerified && !isRecentlyAdded(scope, user),
  send: sendConfirmationCode,
  async verify(scope: Scope, caller: Caller, { code }: { code: string }) {
    const right = await verifyConfirmationCode(scope, caller, stepUpKind, phoneCodeRules(scope), code)
    return right((use) =>
      completeStepUp(scope, caller, { method: 'phone-code', amr: ['otp', 'sms'], use, late: errors.OTP_HAS_EXPIRED }),
    )
  },
}

export const phoneNumber = defineFeature({
  name: 'phone-number',
  steps: {
    creatingUser: takeNumber,
    updatingUser: changeNumber,
  },
  routes: phoneNumberRoutes,
  options: phoneNumberOptions,
  keepsWayIn: numberOpens,
  stepUp: [phoneFactor],
  publicConfiguration: publicPhoneNumber,
  shows: { user: ['phoneNumber', 'phoneNumberVerified'] },
  names: ({ phoneNumber }) => (phoneNumber ? [nameByNumber(phoneNumber)] : []),
  numberOf: ({ phoneNumber, phoneNumberVerified }) => (phoneNumberVerified ? phoneNumber : null),
  changeEvent: numberEvent,
  takenValues: {
    'users.phone_number': { updating: phoneNumberErrors.PHONE_NUMBER_ALREADY_EXISTS, creating: numberTakenAtSignUp },
  },
  endingAccess: endNumber,
})
