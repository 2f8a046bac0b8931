import { defineParts } from '../../http/feature.ts'
import type { Caller, Scope, StepUpFactor } from '../../identity/scope.ts'
import { stepUpErrors as errors } from '../../identity/sign-in/step-up.errors.ts'
import { completeStepUp } from '../../identity/sign-in/step-up.ts'
import { verifyConfirmationCode } from '../../identity/sign-in/step-up-codes.ts'
import { nameByNumber, sendConfirmationCode, stepUpKind } from './codes.ts'
import { phoneCodeRules } from './phone-number.config.ts'
import { phoneNumberErrors } from './phone-number.errors.ts'
import { changeNumber, numberEvent, numberTakenAtSignUp, takeNumber } from './phone-number.steps.ts'
import { isRecentlyAdded } from './recent-number.ts'

/** A code to the verified number. A number on probation is not offered. */
const phoneFactor: StepUpFactor = {
  method: 'phone-otp',
  factor: 'first',
  isOffered: (scope, user) => user.phoneNumber !== null && user.phoneNumberVerified && !isRecentlyAdded(scope, user),
  send: sendConfirmationCode,
  async verify(scope: Scope, caller: Caller, { code }: { code: string }) {
    const right = await verifyConfirmationCode(scope, caller, stepUpKind, phoneCodeRules(scope), code)
    return right((use) =>
      completeStepUp(scope, caller, { method: 'phone-otp', amr: ['otp', 'sms'], use, late: errors.OTP_HAS_EXPIRED }),
    )
  },
}

export const phoneNumberParts = defineParts({
  steps: {
    creatingUser: takeNumber,
    updatingUser: changeNumber,
  },
  wayIn: { stepUp: [phoneFactor] },
  userFields: {
    names: ({ phoneNumber }) => (phoneNumber ? [nameByNumber(phoneNumber)] : []),
    changeEvent: numberEvent,
    taken: {
      'users.phone_number': { updating: phoneNumberErrors.PHONE_NUMBER_ALREADY_EXISTS, creating: numberTakenAtSignUp },
    },
  },
})
