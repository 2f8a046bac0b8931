import type { Scope } from '../../identity/scope.ts'
import { emailInput } from '../../identity/users/users.contract.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { issueCode } from '../../identity/verifications/one-time-codes.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { emailCodeRules, emailOtpOptions } from './email-otp.config.ts'
import type { CodeType } from './email-otp.contract.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { codeMail, codeMailKind } from './email-otp.mails.ts'

/** Codes as they are named in the store: a kind for each type, and the address in lower case. */
export const codeKind = (type: CodeType): string => `email-otp:${type}`

/** @throws INVALID_EMAIL */
export function readAddress(text: string): string {
  if (!emailInput.safeParse(text).success) throw errors.INVALID_EMAIL()
  return text.toLowerCase()
}

interface CodeData {
  /** The code sealed, because only its HMAC is compared: for get-verification-otp, on the server only. */
  sealed: string
}

const storeCode = (scope: Scope, email: string, type: CodeType, user: User | null): Promise<string> =>
  issueCode<CodeData>(scope, codeKind(type), email, emailCodeRules(scope), user, async (code) => ({
    sealed: await seal(scope.settings.secrets, code),
  }))

/**
 * Mails a code. The answer and its time are the same whether or not there is somebody; who is nobody gets one too,
 * to sign up by, or to be told at its use that there is no account. The strict profile mails nobody for nothing, but
 * makes the code, so that no guess at it tells whether there was somebody.
 * @throws INVALID_EMAIL
 */
export async function sendCode(scope: Scope, address: string, type: CodeType): Promise<void> {
  const email = readAddress(address)
  const user = await findUserByEmail(scope.db, email)
  const reaches = user ? !user.emailIsPlaceholder : isForStrangers(scope, type)
  if (reaches) await mailCode(scope, email, type, user)
  else if (scope.settings.profile === 'strict') await mailCode(scope, email, type, 'nobody')
}

function isForStrangers(scope: Scope, type: CodeType): boolean {
  if (type === 'sign-in') return !emailOtpOptions.of(scope).disableSignUp
  return type === 'email-verification' && scope.settings.profile !== 'strict'
}

/**
 * Mails a code to reset the password.
 * @throws INVALID_EMAIL; USER_NOT_FOUND, but not in the strict profile, which tells nobody
 */
export async function sendResetCode(scope: Scope, address: string): Promise<void> {
  const email = readAddress(address)
  const user = await findUserByEmail(scope.db, email)
  if (user && !user.emailIsPlaceholder) return mailCode(scope, email, 'forget-password', user)
  if (scope.settings.profile !== 'strict') throw errors.USER_NOT_FOUND()
  await mailCode(scope, email, 'forget-password', 'nobody')
}

/**
 * Makes a code and mails it, in place of an earlier one of its type; where no more may be mailed the earlier one stays
 * good.
 * @param to whoever has the address; `nobody`, and the code is mailed to nobody
 */
export async function mailCode(scope: Scope, email: string, type: CodeType, to: User | 'nobody' | null): Promise<void> {
  const { expiresIn } = emailOtpOptions.of(scope)
  const user = to === 'nobody' ? null : to
  const reader = { name: user?.name, language: user?.language, email }
  const make = async () => {
    const code = await storeCode(scope, email, type, user)
    return to === 'nobody' ? null : codeMail(scope, type, reader, { code, expiresIn })
  }
  await scope.mail({ to: email, kind: codeMailKind(type), make })
}

/**
 * Makes a code and gives it to the calling server, which sends it its own way. Server-only: see email-otp.rpc.ts.
 * @throws INVALID_EMAIL
 */
export async function createVerificationOtp(scope: Scope, address: string, type: CodeType): Promise<string> {
  const email = readAddress(address)
  return storeCode(scope, email, type, await findUserByEmail(scope.db, email))
}

/**
 * The code that is pending for an address; null without one. Looking does not use it. Server-only: see email-otp.rpc.ts.
 * @throws INVALID_EMAIL
 */
export async function getVerificationOtp(scope: Scope, address: string, type: CodeType): Promise<string | null> {
  const peeked = await scope.records.peek(codeKind(type), readAddress(address))
  if (peeked.kind !== 'there') return null
  return open(scope.settings.secrets, (JSON.parse(peeked.value) as CodeData).sealed)
}
