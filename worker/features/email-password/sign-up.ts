import { emailAndPasswordOptions } from '../../identity/accounts/accounts.config.ts'
import { choosePassword } from '../../identity/accounts/passwords.ts'
import { credentialProvider } from '../../identity/model/accounts.table.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { signUp } from '../../identity/sign-in/sign-up.ts'
import { emailInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'

export interface PasswordSignUp {
  name?: string | undefined
  email: string
  password: string
  image?: string | null | undefined
  callbackURL?: string | undefined
  /** The whole body, for additional fields and other features. */
  input: Readonly<Record<string, unknown>>
}

/** Creates a user with a password. `token` is null without a session: unverified, no autoSignIn, or a second factor. */
export async function signUpByPassword(
  scope: Scope,
  { name, email, password, image, callbackURL, input }: PasswordSignUp,
): Promise<{ token: string | null; user: User }> {
  const { enabled, disableSignUp, autoSignIn } = emailAndPasswordOptions.of(scope)
  if (!enabled || disableSignUp) throw errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED()
  if (!emailInput.safeParse(email).success) throw core.INVALID_EMAIL()
  const hash = await choosePassword(scope, password)
  if (!name?.trim()) {
    throw core.FAILED_TO_CREATE_USER({ extra: { issues: [{ path: 'name', message: 'name is required' }] } })
  }
  return signUp(scope, {
    person: { name: name.trim(), email, image: image ?? null },
    account: { providerId: credentialProvider, password: hash },
    input,
    callbackURL,
    signIn: autoSignIn,
  })
}
