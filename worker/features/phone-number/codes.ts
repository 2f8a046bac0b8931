import { sendTextAfter } from '../../identity/messages/send.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { type CodeErrors, issueCode, spendCodeGuess } from '../../identity/verifications/one-time-codes.ts'
import { isClaimants, markClaim } from './claim-mark.ts'
import { isPhoneNumber, phoneCodeRules, phoneNumberOptions, signUpByNumber } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { findUserByPhone } from './phone-number.store.ts'
import { codeText, type TextPurpose } from './phone-number.texts.ts'
import { isRecentlyAdded } from './recent-number.ts'

export const stepUpKind = 'phone-number:step-up'

const kinds = { verify: 'phone-number:verify', reset: 'phone-number:reset', 'step-up': stepUpKind }

/** The name for counting guesses, see identity/sessions/known-device.ts. */
export const nameByNumber = (phoneNumber: string): string => `phone:${phoneNumber}`

const verifyErrors: CodeErrors = {
  wrong: errors.INVALID_OTP,
  missing: errors.OTP_NOT_FOUND,
  expired: errors.OTP_EXPIRED,
  'too-many': errors.TOO_MANY_ATTEMPTS,
  spent: errors.OTP_NOT_FOUND,
}

const resetErrors: CodeErrors = { ...verifyErrors, missing: errors.INVALID_OTP, spent: errors.INVALID_OTP }

/** Takes one guess from the number's budget for a purpose of codes; the owner's own browser has a separate budget. */
export const spendPhoneGuess = (
  scope: Scope,
  purpose: 'verify' | 'reset',
  phoneNumber: string,
  finding: Promise<User | null>,
) =>
  spendCodeGuess(scope, {
    kind: kinds[purpose],
    recipient: phoneNumber,
    rules: phoneCodeRules(scope),
    errors: purpose === 'verify' ? verifyErrors : resetErrors,
    finding,
    method: 'phone-otp',
    owner: { name: nameByNumber(phoneNumber), owns: (user) => user.phoneNumber === phoneNumber },
  })

/**
 * Sends a code if it can be used: to a proven number, for a sign-up, or for the caller. Neither the response nor its
 * time reveals which. The strict profile always creates a code, so that guesses do not reveal it either.
 */
export async function sendPhoneCode(scope: Scope, phoneNumber: string): Promise<void> {
  if (!(await isPhoneNumber(scope, phoneNumber))) throw errors.INVALID_PHONE_NUMBER()
  const [holder, caller] = await Promise.all([findUserByPhone(scope.db, phoneNumber), scope.caller()])
  const owner = holder?.phoneNumberVerified ? holder : null
  const canBeUsed =
    owner !== null ||
    caller !== null ||
    signUpByNumber(scope) !== null ||
    (holder && (await isClaimants(scope, holder)))
  if (canBeUsed) await textCode(scope, phoneNumber, 'verify', owner)
  else if (scope.settings.profile === 'strict') await textCode(scope, phoneNumber, 'verify', 'no-text')
}

/** Sends a code to a user who has just given the right password for an unverified number. */
export async function sendCodeTo(scope: Scope, user: User): Promise<void> {
  markClaim(scope, user)
  await textCode(scope, user.phoneNumber!, 'verify', null)
}

/** Sends a code to the user's verified number, for a step-up in one session. */
export async function sendConfirmationCode(scope: Scope, { session, user }: Caller): Promise<void> {
  const { expiresIn } = phoneNumberOptions.of(scope)
  const to = user.phoneNumber!
  await sendTextAfter(scope, {
    to,
    async make() {
      const code = await issueCode(scope, stepUpKind, session.id, phoneCodeRules(scope), user)
      return { to, text: await codeText(scope, 'step-up', user, { code, expiresIn }) }
    },
  })
}

/** Sends a code to reset the password, only to a proven number: a claimed one may belong to someone else. */
export async function sendPhoneResetCode(scope: Scope, phoneNumber: string): Promise<void> {
  const user = await findUserByPhone(scope.db, phoneNumber)
  if (user?.phoneNumberVerified) {
    // For a number on probation the response is the same, without a message.
    return textCode(scope, phoneNumber, 'reset', isRecentlyAdded(scope, user) ? 'no-text' : user)
  }
  if (scope.settings.profile !== 'strict') throw errors.PHONE_NUMBER_ISNT_REGISTERED()
  await textCode(scope, phoneNumber, 'reset', 'no-text')
}

/**
 * Creates a code and sends it. At the limit of messages, the earlier code remains valid.
 * @param holder the user who has proven the number, to whom the code is bound, or null; `no-text`: the code is not sent
 */
function textCode(scope: Scope, to: string, purpose: TextPurpose, holder: User | 'no-text' | null) {
  const { expiresIn } = phoneNumberOptions.of(scope)
  const owner = holder === 'no-text' ? null : holder
  return sendTextAfter(scope, {
    to,
    async make() {
      const code = await issueCode(scope, kinds[purpose], to, phoneCodeRules(scope), owner)
      return holder === 'no-text' ? null : { to, text: await codeText(scope, purpose, owner, { code, expiresIn }) }
    },
  })
}
