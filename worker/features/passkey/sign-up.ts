import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { signUp } from '../../identity/sign-in/sign-up.ts'
import { newId } from '../../kit/random.ts'
import { claimChallenge, issueChallenge, onClaimed } from './challenges.ts'
import { passkeyOptions } from './passkey.config.ts'
import type { CreationOptions } from './passkey.contract.ts'
import { passkeyErrors as errors } from './passkey.errors.ts'
import { insertPasskey } from './passkey.store.ts'
import { creationOptions, verifiedPasskey } from './registration.ts'

/** A sign-up with only a passkey, if `passkey.signUp` allows it: the passkey is created before the user. */

/**
 * The options to create a passkey for a new user, under the id that the user will have. They do not reveal a taken
 * address. @throws PASSKEY_SIGN_UP_IS_NOT_ENABLED
 */
export async function beginSignUp(scope: Scope, email: string): Promise<CreationOptions> {
  if (!passkeyOptions.of(scope).signUp) throw errors.PASSKEY_SIGN_UP_IS_NOT_ENABLED()
  const userId = newId()
  const options = await creationOptions(scope, { id: userId, email }, email)
  await issueChallenge(scope, 'passkey-sign-up', options.challenge, userId)
  return options
}

/** The input of a sign-up with a passkey. */
export interface PasskeySignUp {
  name: string
  email: string
  image?: string | null | undefined
  callbackURL?: string | undefined
  response: RegistrationResponseJSON
  /** The whole body, for additional fields and other features. */
  input: Readonly<Record<string, unknown>>
}

/** Creates a user, a passkey and a session in one batch. The address is unverified; `token` may be null. */
export async function finishSignUp(
  scope: Scope,
  { name, email, image, callbackURL, response, input }: PasskeySignUp,
): Promise<{ token: string | null; user: User }> {
  if (!passkeyOptions.of(scope).signUp) throw errors.PASSKEY_SIGN_UP_IS_NOT_ENABLED()
  const claimed = await claimChallenge(scope, 'passkey-sign-up', response.response.clientDataJSON)
  if (claimed.kind === 'gone') throw errors.CHALLENGE_NOT_FOUND()
  if (claimed.kind === 'foreign') throw errors.FAILED_TO_VERIFY_REGISTRATION({ detail: 'unknown challenge' })
  const { userId, challenge } = claimed
  const passkey = await verifiedPasskey(scope, response, challenge, { userId })
  return onClaimed(scope, 'passkey-sign-up', claimed, () =>
    signUp(scope, {
      person: { id: userId, name, email, image: image ?? null },
      account: null,
      input,
      callbackURL,
      credential: (work) => void work.run(insertPasskey(scope.db, passkey)),
      signIn: true,
      shownMethod: 'passkey',
    }),
  )
}
