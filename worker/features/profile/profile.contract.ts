import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { emailInput, passwordInput, statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { seconds } from '../../kit/time.ts'
import { profileErrors as errors } from './profile.errors.ts'

const deleted = z.object({ success: z.boolean(), message: z.enum(['User deleted', 'Verification email sent']) })

export const profileContract = {
  updateUser: endpoint({
    method: 'POST',
    path: '/update-user',
    summary: "Changes the user's name, image and configured fields",
    access: 'session',
    // Ways in, which belong to other features.
    ownSessionFor: ['phoneNumber', 'username'],
    body: z.looseObject({ name: z.string().trim().min(1).max(256).optional(), image: urlInput.nullish() }),
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, errors.EMAIL_CAN_NOT_BE_UPDATED, core.FAILED_TO_UPDATE_USER],
    // One of them only with a username, one only with a phone number: whether it is taken.
    budget: { d1: 4 },
    changes: ['user'],
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/change-email',
    summary: 'Changes the address: at once while it is unverified, otherwise by a mailed link',
    access: 'own-session',
    body: z.object({ newEmail: emailInput, callbackURL: urlInput.optional() }),
    answer: statusAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.CHANGE_EMAIL_IS_DISABLED,
      errors.EMAIL_IS_THE_SAME,
      errors.COULDNT_UPDATE_YOUR_EMAIL,
      errors.VERIFICATION_EMAIL_ISNT_ENABLED,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limit: { max: 3, window: seconds(10) },
    budget: { d1: 3, durable: 2 },
    changes: ['user', 'verification'],
  }),
  pendingEmailChange: endpoint({
    method: 'GET',
    path: '/change-email/pending',
    summary: 'The new address that waits to be confirmed by a mailed link; null without one',
    access: 'own-session',
    answer: z.object({ newEmail: z.string() }).nullable(),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  cancelEmailChange: endpoint({
    method: 'POST',
    path: '/change-email/cancel',
    summary: 'Cancels the change of address that waits to be confirmed: its link ends',
    access: 'own-session',
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED],
    budget: { d1: 2 },
    changes: ['verification'],
  }),
  deleteUser: endpoint({
    method: 'POST',
    path: '/delete-user',
    summary: 'Deletes the user, by password, fresh session or mailed token',
    access: 'own-session',
    body: z.object({
      callbackURL: urlInput.optional(),
      password: passwordInput.optional(),
      token: z.string().max(256).optional(),
    }),
    answer: deleted,
    errors: [
      core.UNAUTHORIZED,
      errors.NOT_FOUND,
      core.INVALID_PASSWORD,
      core.CREDENTIAL_ACCOUNT_NOT_FOUND,
      errors.INVALID_TOKEN,
      errors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION,
      errors.USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT,
      errors.USER_CANNOT_BE_DELETED_PLEASE_PROVIDE_A_PASSWORD_OR_TOKEN,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    budget: { d1: 7, kv: 1, durable: 2 },
    changes: ['user', 'session', 'account'],
  }),
  deleteUserCallback: endpoint({
    method: 'GET',
    path: '/delete-user/callback',
    summary: 'The link of a deletion mail; redirects to callbackURL when there is one',
    access: 'visitor',
    ownSessionFor: ['token'],
    query: z.object({ token: z.string().max(256), callbackURL: urlInput.optional() }),
    answer: deleted,
    redirects: true,
    errors: [errors.NOT_FOUND, errors.FAILED_TO_GET_USER_INFO, errors.INVALID_TOKEN],
    budget: { d1: 4, kv: 1 },
    changes: ['user', 'session', 'account'],
  }),
}
