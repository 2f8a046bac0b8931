import type { Scope } from '../scope.ts'

/** What a sign-in means for the response of its request. */
interface SignInOutcome {
  /** A user has signed in, completely or up to the second factor. An error response then omits its cookies. */
  isSignedIn: boolean
  /** Another flow of this browser waits for the sign-in: the target of the response, a path of ours. */
  continueAt: string | null
}

const noSignIn = (): SignInOutcome => ({ isSignedIn: false, continueAt: null })

export const signInOutcome = (scope: Scope): SignInOutcome => scope.once(noSignIn)
