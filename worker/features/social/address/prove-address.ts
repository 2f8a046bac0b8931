import { inBackground, sendMailAfter } from '../../../identity/messages/send.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { SignInResult } from '../../../identity/sign-in/sign-in.ts'
import { emailInput } from '../../../identity/users/users.contract.ts'
import { findUserByEmail } from '../../../identity/users/users.store.ts'
import { tooManyGuesses } from '../../../identity/verifications/guesses.ts'
import { issueCode, spendCodeGuess } from '../../../identity/verifications/one-time-codes.ts'
import { speaksFor } from '../../../identity/verifications/verifications.ts'
import type { Work } from '../../../identity/work.ts'
import { refusalErrors, requireSignIn } from '../model/sign-in-by-identity.ts'
import { codeRules, mailsPerSignIn } from './address.config.ts'
import { addressErrors as errors } from './address.errors.ts'
import { addressCodeMail } from './address.mails.ts'
import { endWaiting, readWaiting, type Waiting } from './waiting.ts'

const codeKind = 'social-address-code'
const useKind = 'social-address'

const codeErrors = {
  wrong: errors.INVALID_OTP,
  missing: errors.INVALID_OTP,
  expired: errors.OTP_EXPIRED,
  'too-many': errors.TOO_MANY_ATTEMPTS,
  spent: errors.TOO_MANY_ATTEMPTS,
}

/** A code is valid for one address and one waiting sign-in, which is bound to its browser. */
const recipientOf = ({ name }: Waiting, email: string) => `${email}:${name}`

function readAddress(text: string): string {
  const read = emailInput.safeParse(text)
  if (!read.success) throw errors.INVALID_EMAIL()
  return read.data
}

async function requireWaiting(scope: Scope): Promise<Waiting> {
  const waiting = await readWaiting(scope)
  if (!waiting) throw errors.NO_SIGN_IN_IS_WAITING()
  return waiting
}

/** Mails a code to an address, whether or not a user has it. */
export async function sendAddressCode(scope: Scope, address: string): Promise<void> {
  const email = readAddress(address)
  const [waiting, user] = await Promise.all([requireWaiting(scope), findUserByEmail(scope.db, email)])
  const { allowed, retryAfter } = await scope.counters.hit(`social-address:mails:${waiting.name}`, mailsPerSignIn)
  if (!allowed) throw tooManyGuesses(retryAfter)
  const code = await issueCode(scope, codeKind, recipientOf(waiting, email), codeRules, user)
  const own = { provider: waiting.identity.providerName, code, expiresIn: codeRules.expiresIn }
  await inBackground(scope, async () => sendMailAfter(scope, await addressCodeMail(scope, email, own)))
}

/**
 * Completes the waiting sign-in. The code proves the address like a provider's verification: the same rules link the
 * identity to a user or create one, in one batch with the session.
 */
export async function finishWaiting(
  scope: Scope,
  address: string,
  typed: string,
): Promise<{ result: SignInResult; target: string }> {
  const email = readAddress(address)
  const waiting = await requireWaiting(scope)
  const { identity, expiresAt } = waiting
  const recipient = recipientOf(waiting, email)
  const finding = findUserByEmail(scope.db, email)
  const guess = { kind: codeKind, recipient, rules: codeRules, errors: codeErrors, finding, budget: email }
  const check = await spendCodeGuess(scope, guess)
  const found = await finding
  const right = await check(typed.trim())
  if (!speaksFor(right.data, found)) throw errors.INVALID_OTP()
  const { providerId, tokens, mayCreate, callbackURL, newUserURL } = identity
  const person = { ...identity.person, email, emailVerified: true }
  const addressProof = (work: Work) => {
    work.use(right.use, errors.NO_SIGN_IN_IS_WAITING)
    work.use({ kind: useKind, token: waiting.name, expiresAt }, errors.NO_SIGN_IN_IS_WAITING)
  }
  const signIn = await right.complete(() =>
    requireSignIn(scope, { providerId, person, tokens }, { mayCreate, addressProof }, refusalErrors),
  )
  endWaiting(scope, waiting)
  return { result: signIn.result, target: (signIn.isNew ? newUserURL : undefined) ?? callbackURL }
}
