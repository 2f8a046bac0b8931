import type { RightPassword } from '../accounts/passwords.ts'
import type { SignInMethod } from '../model/method.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { onGuess } from '../verifications/guesses.ts'
import { completeSignIn, type SignInResult } from './sign-in.ts'

/** Signs in a user with a verified password. A fault gives the guess back. @throws the errors of completeSignIn */
export function signInByPassword(
  scope: Scope,
  { user, hash, rehash, password, guess }: RightPassword,
  { method, rememberMe }: { method: SignInMethod; rememberMe: boolean },
): Promise<SignInResult> {
  const work = unitOfWork(scope)
  rehash(work)
  return onGuess(guess, () =>
    completeSignIn(scope, work, {
      ...{ user, method, proven: 'password', rememberMe, passwordHash: hash, password },
    }),
  )
}
