import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { issueCode } from '../../identity/verifications/one-time-codes.ts'
import { isClaimants, markClaim } from './claim-mark.ts'
import { isPhoneNumber, phoneCodeRules, phoneNumberOptions, signUpByNumber } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { findUserByPhone } from './phone-number.store.ts'
import { codeText, type TextPurpose } from './phone-number.texts.ts'

export const verifyKind = 'phone-number:verify'
export const resetKind = 'phone-number:reset'

/**
 * Sends a code to verify a number or to sign in by it, but only where that can lead to something: somebody has proven
 * the number, may sign up by it, or is signed in and may take it. The answer and its time tell nothing of it, nor in the
 * strict profile does a guess: there a code is made in any case.
 * @throws INVALID_PHONE_NUMBER
 */
export async function sendCode(scope: Scope, phoneNumber: string): Promise<void> {
  if (!(await isPhoneNumber(scope, phoneNumber))) throw errors.INVALID_PHONE_NUMBER()
  const [holder, caller] = await Promise.all([findUserByPhone(scope.db, phoneNumber), scope.caller()])
  const owner = holder?.phoneNumberVerified ? holder : null
  const leadsSomewhere =
    owner !== null ||
    caller !== null ||
    signUpByNumber(scope) !== null ||
    (holder && (await isClaimants(scope, holder)))
  if (leadsSomewhere) await textCode(scope, phoneNumber, 'verify', owner)
  else if (scope.settings.profile === 'strict') await textCode(scope, phoneNumber, 'verify', 'nobody')
}

/** Sends a code to somebody who has just given the right password for a number that is not verified. */
export async function sendCodeTo(scope: Scope, user: User): Promise<void> {
  markClaim(scope, user)
  await textCode(scope, user.phoneNumber!, 'verify', null)
}

/**
 * Sends a code to reset the password. Only to a proven number: one that was only claimed may be anybody's.
 * @throws PHONE_NUMBER_ISNT_REGISTERED, but not in the strict profile, which tells nobody
 */
export async function sendResetCode(scope: Scope, phoneNumber: string): Promise<void> {
  const user = await findUserByPhone(scope.db, phoneNumber)
  if (user?.phoneNumberVerified) return textCode(scope, phoneNumber, 'reset', user)
  if (scope.settings.profile !== 'strict') throw errors.PHONE_NUMBER_ISNT_REGISTERED()
  await textCode(scope, phoneNumber, 'reset', 'nobody')
}

const kinds = { verify: verifyKind, reset: resetKind }

/**
 * Where no more may be sent, the code that was sent last stays good.
 * @param holder who has proven the number: the code is theirs. What is claimed only is judged when the code is used.
 *   `nobody`: the code is sent to nobody.
 */
function textCode(scope: Scope, to: string, purpose: TextPurpose, holder: User | 'nobody' | null) {
  const { expiresIn } = phoneNumberOptions.of(scope)
  const owner = holder === 'nobody' ? null : holder
  return scope.text({
    to,
    async make() {
      const code = await issueCode(scope, kinds[purpose], to, phoneCodeRules(scope), owner)
      return holder === 'nobody' ? null : { to, text: codeText(scope, purpose, owner, { code, expiresIn }) }
    },
  })
}
