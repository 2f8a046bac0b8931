import type { Scope } from '../../identity/scope.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'
import { completeSignIn } from '../../identity/sign-in.ts'
import type { User } from '../../identity/users/users.table.ts'
import { draftUser, isAddressTaken, userCreated } from '../../identity/users/users.ts'
import { AppError, HookRefusal } from '../../kit/errors.ts'
import { alphabets, randomString } from '../../kit/random.ts'
import { anonymousOptions } from './anonymous.config.ts'
import { anonymousErrors as errors } from './anonymous.errors.ts'

/**
 * Creates a guest, who has a placeholder for an address and no way to come back but this session.
 * @throws see the contract
 */
export async function signInAnonymously(scope: Scope): Promise<{ session: Session; user: User }> {
  const caller = await scope.caller()
  if (caller?.user.isAnonymous) throw errors.ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY()
  const { emailDomainName, generateName } = anonymousOptions.of(scope)
  const host = emailDomainName ?? new URL(scope.settings.baseUrl).hostname
  const email = `temp-${randomString(32, alphabets.lowerAndDigits)}@${host}`
  const person = { email, name: generateName?.() ?? 'Anonymous', isAnonymous: true, emailIsPlaceholder: true }
  const { user, statements: alongside } = await draftUser(scope, person, null)
  const result = await completeSignIn(scope, { user, method: 'anonymous', proven: 'creation', alongside }).catch(
    (thrown) => {
      if (isAddressTaken(thrown)) throw errors.FAILED_TO_CREATE_USER()
      if (thrown instanceof HookRefusal) throw thrown
      throw thrown instanceof AppError ? errors.COULD_NOT_CREATE_SESSION({ detail: thrown.message }) : thrown
    },
  )
  // A guest has no second factor that could be asked for.
  if (result.kind === 'challenged') throw errors.COULD_NOT_CREATE_SESSION()
  await userCreated(scope, user)
  return result
}
