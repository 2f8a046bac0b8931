import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { issueCode } from '../../identity/verifications/one-time-codes.ts'
import { inWords } from '../../kit/time.ts'
import { isPhoneNumber, phoneCodeRules, phoneNumberOptions, signUpByNumber } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { findUserByPhone } from './phone-number.store.ts'

export const verifyKind = 'phone-number:verify'
export const resetKind = 'phone-number:reset'

/** What is kept beside a code to verify a number. */
export interface VerifyData {
  /** The id of a user who has given the password for it: the code is theirs, wherever it is typed. */
  asker: string | null
}

/**
 * Sends a code to verify a number or to sign in by it. The answer and its time are the same whether or not somebody
 * has the number. The strict profile sends only where the code leads somewhere: messages cost money.
 * @throws INVALID_PHONE_NUMBER
 */
export async function sendCode(scope: Scope, phoneNumber: string): Promise<void> {
  if (!(await isPhoneNumber(scope, phoneNumber))) throw errors.INVALID_PHONE_NUMBER()
  const user = await findUserByPhone(scope.db, phoneNumber)
  const leadsSomewhere = user !== null || signUpByNumber(scope) !== null || (await scope.caller()) !== null
  if (!leadsSomewhere && scope.settings.profile === 'strict') return
  await scope.later(() => textVerification(scope, phoneNumber, user, null))
}

/** Sends a code to somebody who has just given the right password for a number that is not verified. */
export const sendCodeTo = (scope: Scope, user: User): Promise<void> =>
  scope.later(() => textVerification(scope, user.phoneNumber!, user, user.id))

async function textVerification(scope: Scope, phoneNumber: string, user: User | null, asker: string | null) {
  const code = await issueCode<VerifyData>(scope, verifyKind, phoneNumber, phoneCodeRules(scope), user, () => ({
    asker,
  }))
  await textCode(scope, phoneNumber, code, (app) => `is your ${app} code.`)
}

/**
 * Sends a code to reset the password. Only to a proven number: one that was only claimed may be anybody's.
 * @throws PHONE_NUMBER_ISNT_REGISTERED, but not in the strict profile, which tells nobody
 */
export async function sendResetCode(scope: Scope, phoneNumber: string): Promise<void> {
  const user = await findUserByPhone(scope.db, phoneNumber)
  if (user?.phoneNumberVerified) return scope.later(() => textReset(scope, phoneNumber, user))
  if (scope.settings.profile !== 'strict') throw errors.PHONE_NUMBER_ISNT_REGISTERED()
}

async function textReset(scope: Scope, phoneNumber: string, user: User) {
  const code = await issueCode(scope, resetKind, phoneNumber, phoneCodeRules(scope), user)
  await textCode(scope, phoneNumber, code, (app) => `is your code to reset your ${app} password.`)
}

/** The last line lets telephones offer the code on our pages only (origin-bound one-time codes, WICG). */
function textCode(scope: Scope, to: string, code: string, say: (app: string) => string): Promise<void> {
  const { appName, baseUrl } = scope.settings
  const lifetime = inWords(phoneNumberOptions.of(scope).expiresIn)
  const text = `${code} ${say(appName)} It works for ${lifetime}. Nobody will ever ask you for it.`
  return scope.text({ to, text: `${text}\n\n@${new URL(baseUrl).hostname} #${code}` })
}
