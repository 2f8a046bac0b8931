import type { Scope } from '../../../identity/scope.ts'
import type { SignInResult } from '../../../identity/sign-in.ts'
import { emailInput } from '../../../identity/users/users.contract.ts'
import { findUserByEmail } from '../../../identity/users/users.store.ts'
import { onGuess, tooManyGuesses } from '../../../identity/verifications/guesses.ts'
import { issueCode, spendCodeGuess } from '../../../identity/verifications/one-time-codes.ts'
import { isUsedAlready, usedStatement } from '../../../identity/verifications/used-records.ts'
import { speaksFor } from '../../../identity/verifications/verifications.ts'
import { signInByIdentity } from '../match-person.ts'
import { refusals } from '../sign-in.ts'
import { codeRules, mailsPerSignIn } from './address.config.ts'
import { addressErrors as errors } from './address.errors.ts'
import { addressCodeMail } from './address.mails.ts'
import { endWaiting, readWaiting, type Waiting } from './waiting.ts'

const codeKind = 'social-address-code'
const useKind = 'social-address'

/** A code is for one address and one sign-in that waits: in no other browser is it anything. */
const recipientOf = ({ name }: Waiting, email: string) => `${email}:${name}`

function readAddress(text: string): string {
  if (!emailInput.safeParse(text).success) throw errors.INVALID_EMAIL()
  return text.toLowerCase()
}

async function requireWaiting(scope: Scope): Promise<Waiting> {
  const waiting = await readWaiting(scope)
  if (!waiting) throw errors.NO_SIGN_IN_IS_WAITING()
  return waiting
}

/**
 * Mails a code to an address, whether or not somebody has it: what it leads to is told to who has the code.
 * @throws INVALID_EMAIL, NO_SIGN_IN_IS_WAITING, TOO_MANY_REQUESTS
 */
export async function sendAddressCode(scope: Scope, address: string): Promise<void> {
  const email = readAddress(address)
  const [waiting, user] = await Promise.all([requireWaiting(scope), findUserByEmail(scope.db, email)])
  const { allowed, retryAfter } = await scope.counters.hit(`social-address:mails:${waiting.name}`, mailsPerSignIn)
  if (!allowed) throw tooManyGuesses(retryAfter)
  const code = await issueCode(scope, codeKind, recipientOf(waiting, email), codeRules, user)
  const own = { provider: waiting.identity.providerName, code, expiresIn: codeRules.expiresIn }
  await scope.later(() => scope.mail(addressCodeMail(scope, email, own)))
}

/**
 * A mailed code proves the address, as a provider's verified one would: by the same rules the identity makes an account,
 * or joins the one that has the address. All of it is written in the batch of the session, or nothing.
 * @returns the sign-in, and where it leads
 * @throws see the contract
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
  const check = await spendCodeGuess(scope, { kind: codeKind, recipient, rules: codeRules, finding, budget: email })
  const found = await finding
  const judged = await check(typed.trim())
  if (judged.kind === 'expired') throw errors.OTP_EXPIRED()
  if (judged.kind === 'too-many' || (judged.kind === 'missing' && judged.spent)) throw errors.TOO_MANY_ATTEMPTS()
  if (judged.kind !== 'right' || !speaksFor(judged.data, found)) throw errors.INVALID_OTP()
  const { use, guess } = judged
  const { providerId, tokens, mayCreate, callbackURL, newUserURL } = identity
  const person = { ...identity.person, email, emailVerified: true }
  const addressProof = [use, usedStatement(scope, useKind, waiting.name, expiresAt)]
  try {
    const signIn = await onGuess(guess, () =>
      signInByIdentity(scope, { providerId, person, tokens, trusted: false }, { mayCreate, addressProof }),
    )
    if (signIn.kind === 'refused') throw refusals[signIn.reason]()
    guess.rightly()
    endWaiting(scope, waiting)
    return { result: signIn.result, target: (signIn.isNew ? newUserURL : undefined) ?? callbackURL }
  } catch (thrown) {
    throw isUsedAlready(thrown) ? errors.NO_SIGN_IN_IS_WAITING() : thrown
  }
}
