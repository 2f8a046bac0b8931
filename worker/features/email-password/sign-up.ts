import { credentialProvider } from '../../identity/accounts/accounts.table.ts'
import { choosePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { emailAndPasswordOptions, emailVerificationOptions, userOptions } from '../../identity/settings.ts'
import { completeSignIn } from '../../identity/sign-in.ts'
import { demandSignUpFields, readAdditionalFields } from '../../identity/users/additional-fields.ts'
import { markSignUp } from '../../identity/users/sign-up-mark.ts'
import { emailInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import type { User } from '../../identity/users/users.table.ts'
import { draftUser, isAddressTaken, takenError, userCreated } from '../../identity/users/users.ts'
import { verificationMailTask } from '../../identity/verifications/email-mails.ts'
import { newId } from '../../kit/random.ts'
import { runBatch, type Statement } from '../../platform/statements.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'
import { accountExistsMail } from './email-password.mails.ts'

export interface SignUp {
  name?: string | undefined
  email: string
  password: string
  image?: string | null | undefined
  callbackURL?: string | undefined
  /** The whole body, for additional fields and other features. */
  input: Readonly<Record<string, unknown>>
}

/**
 * Creates a person with a password. `token` is null where nobody signs in yet: verification is required first, or
 * autoSignIn is off, or a second factor is asked for.
 * In the strict profile an address that is taken gets the same answer as any other, and its owner gets a mail.
 * @throws see the contract
 */
export async function signUp(
  scope: Scope,
  { name, email, password, image, callbackURL, input }: SignUp,
): Promise<{ token: string | null; user: User }> {
  const { enabled, disableSignUp, autoSignIn, requireEmailVerification } = emailAndPasswordOptions.of(scope)
  if (!enabled || disableSignUp) throw errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED()
  if (!emailInput.safeParse(email).success) throw core.INVALID_EMAIL()
  const hash = await choosePassword(scope, password)
  if (!name?.trim()) {
    throw core.FAILED_TO_CREATE_USER({ extra: { issues: [{ path: 'name', message: 'name is required' }] } })
  }
  demandSignUpFields(userOptions.of(scope).additionalFields, input)
  const person = { name: name.trim(), email, image: image ?? null }
  const { user, statements } = await draftUser(scope, person, { providerId: credentialProvider, password: hash }, input)
  const verification = emailVerificationOptions.of(scope)
  const verifies = verification.enabled && (verification.sendOnSignUp || requireEmailVerification)
  if (verifies) statements.push(...(await verificationMailTask(scope, user, callbackURL)))
  try {
    const token = await write(scope, user, statements, autoSignIn && !requireEmailVerification)
    if (token === null) markSignUp(scope, user)
    await userCreated(scope, user)
    return { token, user }
  } catch (thrown) {
    if (!isAddressTaken(thrown)) throw takenError(scope, thrown, 'creating')
    if (scope.settings.profile !== 'strict') throw core.USER_ALREADY_EXISTS()
    await scope.mail(accountExistsMail(scope, email))
    const invented = inventedUser(scope, person, input)
    markSignUp(scope, invented)
    return { token: null, user: invented }
  }
}

/** The person, and their session where they are signed in at once, in one batch. @returns the session's token */
async function write(scope: Scope, user: User, statements: Statement[], signIn: boolean): Promise<string | null> {
  if (!signIn) {
    await runBatch(scope.db, statements)
    return null
  }
  const result = await completeSignIn(scope, { user, method: 'sign-up', proven: 'creation', alongside: statements })
  return result.kind === 'signed-in' ? result.session.token : null
}

/** What an address that is taken gets to see in the strict profile: nothing of the person whose it is. */
function inventedUser(
  scope: Scope,
  person: { name: string; email: string; image: string | null },
  input: Readonly<Record<string, unknown>>,
): User {
  const now = scope.now()
  const { additionalFields } = userOptions.of(scope)
  return {
    id: newId(),
    ...person,
    email: person.email.toLowerCase(),
    emailVerified: false,
    createdAt: now,
    updatedAt: now,
    additionalFields: readAdditionalFields(additionalFields, input, 'create'),
  } as User
}
