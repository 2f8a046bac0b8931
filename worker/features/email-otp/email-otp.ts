import { sendMailAfter } from '../../identity/messages/send.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { nameByAddress } from '../../identity/sessions/known-device.ts'
import { emailInput } from '../../identity/users/users.contract.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import { issueCode, spendCodeGuess } from '../../identity/verifications/one-time-codes.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { emailCodeRules, emailOtpOptions } from './email-otp.config.ts'
import type { CodeType } from './email-otp.contract.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { codeMail, codeMailKind } from './email-otp.mails.ts'

/** Names a code's record, together with the address in lower case. */
export const codeKind = (type: CodeType): string => `email-otp:${type}`

/** @throws INVALID_EMAIL */
export function requireAddress(text: string): string {
  const read = emailInput.safeParse(text)
  if (!read.success) throw errors.INVALID_EMAIL()
  return read.data
}

const codeErrors = {
  wrong: errors.INVALID_OTP,
  missing: errors.INVALID_OTP,
  expired: errors.OTP_EXPIRED,
  'too-many': errors.TOO_MANY_ATTEMPTS,
  spent: errors.TOO_MANY_ATTEMPTS,
}

/** Takes one guess from the address's budget for this type of code; the owner's own browser has a separate budget. */
export const spendEmailGuess = (scope: Scope, email: string, type: CodeType, finding: Promise<User | null>) =>
  spendCodeGuess(scope, {
    kind: codeKind(type),
    recipient: email,
    rules: emailCodeRules(scope),
    errors: codeErrors,
    finding,
    method: type === 'email-verification' ? undefined : 'email-otp',
    owner: { name: nameByAddress(email), owns: (user) => user.email === email },
  })

interface CodeData {
  /** The sealed code for getVerificationOtp; the record contains only its HMAC. */
  sealed: string
}

const storeCode = (scope: Scope, email: string, type: CodeType, user: User | null): Promise<string> =>
  issueCode<CodeData>(scope, codeKind(type), email, emailCodeRules(scope), user, async (code) => ({
    sealed: await seal(scope.settings.secrets, code),
  }))

/**
 * Mails a code. The response and its time do not reveal a user: an unknown address gets a code too, which creates a
 * user or fails. The strict profile does not mail it, but creates the code, so that guesses reveal nothing either.
 */
export async function sendEmailCode(scope: Scope, address: string, type: CodeType): Promise<void> {
  const email = requireAddress(address)
  const user = await findUserByEmail(scope.db, email)
  const reaches = user ? !user.emailIsPlaceholder : servesUnknown(scope, type)
  if (reaches) await mailCode(scope, email, type, user)
  else if (scope.settings.profile === 'strict') await mailCode(scope, email, type, 'no-mail')
}

function servesUnknown(scope: Scope, type: CodeType): boolean {
  if (type === 'sign-in') return !emailOtpOptions.of(scope).disableSignUp
  return type === 'email-verification' && scope.settings.profile !== 'strict'
}

/** Mails a code to reset the password. @throws INVALID_EMAIL; USER_NOT_FOUND, except in the strict profile */
export async function sendEmailResetCode(scope: Scope, address: string): Promise<void> {
  const email = requireAddress(address)
  const user = await findUserByEmail(scope.db, email)
  if (user && !user.emailIsPlaceholder) return mailCode(scope, email, 'forget-password', user)
  if (scope.settings.profile !== 'strict') throw errors.USER_NOT_FOUND()
  await mailCode(scope, email, 'forget-password', 'no-mail')
}

/**
 * Creates a code, mails it and replaces an earlier one of its type. At the limit of mails, the earlier code remains
 * valid.
 * @param to the user with the address, or null; `no-mail`: the code is created and not mailed
 */
export async function mailCode(
  scope: Scope,
  email: string,
  type: CodeType,
  to: User | 'no-mail' | null,
): Promise<void> {
  const { expiresIn } = emailOtpOptions.of(scope)
  const user = to === 'no-mail' ? null : to
  const reader = { name: user?.name, language: user?.language, email }
  const make = async () => {
    const code = await storeCode(scope, email, type, user)
    return to === 'no-mail' ? null : codeMail(scope, type, reader, { code, expiresIn })
  }
  await sendMailAfter(scope, { to: email, kind: codeMailKind(type), make })
}

/** Creates a code that the calling server sends. Server-only: see email-otp.operations.ts. @throws INVALID_EMAIL */
export async function createVerificationOtp(scope: Scope, address: string, type: CodeType): Promise<string> {
  const email = requireAddress(address)
  return storeCode(scope, email, type, await findUserByEmail(scope.db, email))
}

/**
 * Returns the pending code of an address, or null, without using it. Server-only: see email-otp.operations.ts. @throws
 * INVALID_EMAIL
 */
export async function getVerificationOtp(scope: Scope, address: string, type: CodeType): Promise<string | null> {
  const peeked = await scope.records.peek(codeKind(type), requireAddress(address))
  if (peeked.kind !== 'there') return null
  return open(scope.settings.secrets, (JSON.parse(peeked.value) as CodeData).sealed)
}
