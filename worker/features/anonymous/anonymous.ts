import { addUser } from '../../identity/accounts/users.ts'
import type { Session } from '../../identity/model/sessions.table.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { completeSignIn } from '../../identity/sign-in/sign-in.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { onGuess, spendGuess } from '../../identity/verifications/guesses.ts'
import { AppError, HookRefusal } from '../../kit/errors.ts'
import { alphabets, randomString } from '../../kit/random.ts'
import { addressBucket } from '../../platform/client-address.ts'
import { anonymousOptions } from './anonymous.config.ts'
import { anonymousErrors as errors } from './anonymous.errors.ts'

/** Creates a guest: a user with a placeholder address, whose only way in is this session. */
export async function signInAnonymously(scope: Scope): Promise<{ session: Session; user: User }> {
  const caller = await scope.caller()
  if (caller?.user.isAnonymous) throw errors.ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY()
  const { guestsPerAddress } = anonymousOptions.of(scope)
  const spent = await spendGuess(scope, `guests:address:${addressBucket(scope.request.ip)}`, guestsPerAddress)
  return onGuess(spent, () => create(scope))
}

async function create(scope: Scope): Promise<{ session: Session; user: User }> {
  const { emailDomainName, generateName } = anonymousOptions.of(scope)
  const host = emailDomainName ?? new URL(scope.settings.baseUrl).hostname
  const email = `temp-${randomString(32, alphabets.lowerAndDigits)}@${host}`
  const person = { email, name: generateName?.() ?? 'Anonymous', isAnonymous: true, emailIsPlaceholder: true }
  const work = unitOfWork(scope)
  const user = await addUser(scope, work, person, null)
  const taken = errors.FAILED_TO_CREATE_USER()
  work.unique('users.email', () => taken)
  const signIn = { user, method: 'anonymous', proven: 'creation' } as const
  const result = await completeSignIn(scope, work, signIn).catch((thrown) => {
    if (thrown === taken || thrown instanceof HookRefusal) throw thrown
    throw thrown instanceof AppError ? errors.COULD_NOT_CREATE_SESSION({ detail: thrown.message }) : thrown
  })
  // A guest has no second factor.
  if (result.kind === 'challenged') throw errors.COULD_NOT_CREATE_SESSION()
  return result
}
