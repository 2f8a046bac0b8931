import { newId } from '../../kit/random.ts'
import { runBatch, type Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { emailAndPasswordOptions, emailVerificationOptions, userOptions } from '../settings.ts'
import { completeSignIn } from '../sign-in.ts'
import { verificationMailTask } from '../verifications/email-mails.ts'
import { accountExistsMail } from './account-exists.mails.ts'
import { demandSignUpFields, readAdditionalFields } from './additional-fields.ts'
import { markSignUp } from './sign-up-mark.ts'
import { coreErrors as core } from './users.errors.ts'
import type { User } from './users.table.ts'
import { draftUser, isAddressTaken, type NewAccount, type NewPerson, takenError, userCreated } from './users.ts'

/** Somebody who gives an address without a proof of it. */
export interface SignUp {
  person: NewPerson
  account: NewAccount | null
  /** The whole body, for additional fields and other features. */
  input: Readonly<Record<string, unknown>>
  callbackURL: string | undefined
  /** What they will sign in with, where that is not an account: written after the user. */
  alongside?: readonly Statement[]
  /** Whether they are signed in at once; nobody is whose address has to be verified first. */
  signIn: boolean
  /** What the list of sessions shows. */
  shownMethod?: string
}

/**
 * Creates a person whose address is not proven, in one batch with the mail that verifies it and with their session.
 * `token` is null where nobody is signed in yet.
 * In the strict profile an address that is taken gets the same answer as any other, and its owner gets a mail.
 * @throws USER_ALREADY_EXISTS, and what other features say against the person
 */
export async function signUp(
  scope: Scope,
  { person, account, input, callbackURL, alongside = [], signIn, shownMethod }: SignUp,
): Promise<{ token: string | null; user: User }> {
  const { requireEmailVerification } = emailAndPasswordOptions.of(scope)
  demandSignUpFields(userOptions.of(scope).additionalFields, input)
  const { user, statements } = await draftUser(scope, person, account, input)
  statements.push(...alongside)
  const verification = emailVerificationOptions.of(scope)
  const verifies = verification.enabled && (verification.sendOnSignUp || requireEmailVerification)
  if (verifies) statements.push(...(await verificationMailTask(scope, user, callbackURL)))
  try {
    const token = await write(scope, user, statements, signIn && !requireEmailVerification, shownMethod)
    if (token === null) markSignUp(scope, user)
    await userCreated(scope, user)
    return { token, user }
  } catch (thrown) {
    if (!isAddressTaken(thrown)) throw takenError(scope, thrown, 'creating')
    if (scope.settings.profile !== 'strict') throw core.USER_ALREADY_EXISTS()
    await scope.mail(accountExistsMail(scope, person.email))
    const invented = inventedUser(scope, person, input)
    markSignUp(scope, invented)
    return { token: null, user: invented }
  }
}

/** The person, and their session where they are signed in at once, in one batch. @returns the session's token */
async function write(scope: Scope, user: User, alongside: Statement[], signIn: boolean, shownMethod?: string) {
  if (!signIn) {
    await runBatch(scope.db, alongside)
    return null
  }
  const result = await completeSignIn(scope, { user, method: 'sign-up', proven: 'creation', alongside, shownMethod })
  return result.kind === 'signed-in' ? result.session.token : null
}

/** What an address that is taken gets to see in the strict profile: nothing of the person whose it is. */
function inventedUser(scope: Scope, person: NewPerson, input: Readonly<Record<string, unknown>>): User {
  const now = scope.now()
  const { additionalFields } = userOptions.of(scope)
  return {
    id: newId(),
    image: null,
    ...person,
    email: person.email.toLowerCase(),
    emailVerified: false,
    createdAt: now,
    updatedAt: now,
    additionalFields: readAdditionalFields(additionalFields, input, 'create'),
  } as User
}
