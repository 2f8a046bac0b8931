import { comparedAddress } from '../../kit/email-address.ts'
import { newId } from '../../kit/random.ts'
import { emailAndPasswordOptions, emailVerificationOptions } from '../accounts/accounts.config.ts'
import { addVerificationMail } from '../accounts/email-mails.ts'
import { addUser, type NewAccount, type NewPerson } from '../accounts/users.ts'
import { requireDailyOfAddress } from '../audit/audit-budget.ts'
import { sendMailAfter } from '../messages/send.ts'
import type { SessionMethod } from '../model/method.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { demandSignUpFields, readAdditionalFields } from '../users/additional-fields.ts'
import { userOptions } from '../users/users.config.ts'
import { coreErrors as core } from '../users/users.errors.ts'
import type { Work } from '../work.ts'
import { accountExistsMail } from './account-exists.mails.ts'
import { completeSignIn } from './sign-in.ts'
import { markSignUp } from './sign-up-mark.ts'

/** A user before the insertion, whose address is not proven. */
export interface SignUp {
  person: NewPerson
  account: NewAccount | null
  /** The whole body, for additional fields and other features. */
  input: Readonly<Record<string, unknown>>
  callbackURL: string | undefined
  /** Adds the user's sign-in method, if it is not an account. */
  credential?(work: Work): void
  /** Whether the user is signed in immediately; not if the address must be verified first. */
  signIn: boolean
  /** The value for the list of sessions. */
  shownMethod?: SessionMethod
}

/**
 * Creates a user whose address is not proven, in one batch with the verification mail and the session. `token` is null
 * if the user is not signed in yet. In the strict profile a taken address gets the same response as any other, and its
 * owner gets a mail.
 * @throws USER_ALREADY_EXISTS, and the errors of other features
 */
export async function signUp(
  scope: Scope,
  { person, account, input, callbackURL, credential, signIn, shownMethod }: SignUp,
): Promise<{ token: string | null; user: User }> {
  const { requireEmailVerification } = emailAndPasswordOptions.of(scope)
  demandSignUpFields(userOptions.of(scope).additionalFields, input)
  const work = unitOfWork(scope)
  const user = await addUser(scope, work, person, account, input)
  const taken = core.USER_ALREADY_EXISTS()
  work.unique('users.email', () => taken)
  credential?.(work)
  requireDailyOfAddress(scope, work)
  const verification = emailVerificationOptions.of(scope)
  if (verification.enabled && (verification.sendOnSignUp || requireEmailVerification)) {
    await addVerificationMail(scope, work, user, callbackURL)
  }
  try {
    if (!signIn || requireEmailVerification) {
      await work.commit()
      markSignUp(scope, user)
      return { token: null, user }
    }
    const result = await completeSignIn(scope, work, { user, method: 'sign-up', proven: 'creation', shownMethod })
    if (result.kind === 'signed-in') return { token: result.session.token, user }
    markSignUp(scope, user)
    return { token: null, user }
  } catch (thrown) {
    if (thrown !== taken || scope.settings.profile !== 'strict') throw thrown
    await sendMailAfter(scope, await accountExistsMail(scope, person.email))
    const invented = inventedUser(scope, person, input)
    markSignUp(scope, invented)
    return { token: null, user: invented }
  }
}

/** The response for a taken address in the strict profile. It contains no data of the owner. */
function inventedUser(scope: Scope, person: NewPerson, input: Readonly<Record<string, unknown>>): User {
  const now = scope.now()
  const { additionalFields } = userOptions.of(scope)
  return {
    id: newId(),
    image: null,
    ...person,
    email: comparedAddress(person.email),
    emailVerified: false,
    createdAt: now,
    updatedAt: now,
    additionalFields: readAdditionalFields(additionalFields, input, 'create'),
  } as User
}
