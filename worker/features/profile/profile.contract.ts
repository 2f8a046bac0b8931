import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { getLink, linkQuery } from '../../http/mailed-link.contract.ts'
import { isOther } from '../../http/recency.ts'
import { emailInput, passwordInput, statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { imageInput, nameInput } from '../../kit/inputs.ts'
import { minutes, seconds } from '../../kit/time.ts'
import { profileErrors as errors } from './profile.errors.ts'

const deleted = z.object({ success: z.boolean(), message: z.enum(['User deleted', 'Verification email sent']) })

/** What `GET /config` returns. */
export interface PublicConfiguration {
  /** GET /change-email/pending and POST /change-email/cancel. */
  features: { pendingEmail: true }
}

export const profileContract = {
  updateUser: post('/update-user', {
    summary: 'Updates the name, image and additional fields of the user',
    access: 'own-session',
    // Sign-in methods, which belong to other features.
    accessRules: {
      recentFor: ({ given, user }) =>
        isOther(given.phoneNumber, user.phoneNumber) || isOther(given.username, user.username),
    },
    input: { body: z.looseObject({ name: nameInput.min(1).optional(), image: imageInput.nullish() }) },
    answer: statusAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.EMAIL_CAN_NOT_BE_UPDATED,
      core.FAILED_TO_UPDATE_USER,
      core.LAST_WAY_TO_SIGN_IN,
    ],
    // One of them only with a username, one only with a phone number, to check whether it is taken.
    budget: { d1: 4 },
    changes: ['user'],
    audit: 'update-user',
    limits: { creates: false },
  }),
  changeEmail: post('/change-email', {
    summary:
      'Changes the email address: immediately if it is unverified, otherwise after confirmation by a mailed link',
    access: 'recent-authentication',
    accessRules: { addsWayIn: true },
    input: { body: z.object({ newEmail: emailInput, callbackURL: urlInput.optional() }) },
    answer: statusAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.CHANGE_EMAIL_IS_DISABLED,
      errors.EMAIL_IS_THE_SAME,
      core.DISPOSABLE_EMAIL,
      errors.COULDNT_UPDATE_YOUR_EMAIL,
      errors.VERIFICATION_EMAIL_ISNT_ENABLED,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { whenFull: 'secures', rate: { max: 3, window: seconds(10) } },
    budget: { d1: 3, durable: 2 },
    changes: ['user', 'verification'],
    audit: 'change-email',
  }),
  pendingEmailChange: get('/change-email/pending', {
    summary: 'Returns the pending new email address of the user, or null',
    access: 'own-session',
    answer: z.object({ newEmail: z.string() }).nullable(),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  cancelEmailChange: post('/change-email/cancel', {
    summary: 'Cancels the pending change of the email address and revokes its link',
    access: 'own-session',
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED],
    budget: { d1: 2 },
    changes: ['verification'],
  }),
  revertEmailChange: post('/change-email/revert', {
    summary: 'Reverts a change of the email address with the token of the mailed notice and revokes all sessions',
    access: 'visitor',
    input: { body: z.object({ token: z.string().min(1).max(256) }) },
    answer: z.object({
      status: z.literal(true),
      /** For /reset-password; null if passwords are off or the token could not be stored. */
      resetToken: z.string().nullable(),
    }),
    errors: [core.INVALID_TOKEN, errors.EMAIL_TAKEN_BY_ANOTHER_ACCOUNT],
    limits: { whenFull: 'secures', rate: { max: 5, window: minutes(1) } },
    budget: { d1: 2, kv: 1 },
    changes: ['user', 'session', 'account', 'verification'],
    audit: 'change-email.revert',
  }),
  deleteUser: post('/delete-user', {
    summary: 'Deletes the user, authorized by password, fresh session or mailed token',
    access: 'own-session',
    input: {
      body: z.object({
        callbackURL: urlInput.optional(),
        password: passwordInput.optional(),
        token: z.string().max(256).optional(),
      }),
    },
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
    budget: { d1: 7, kv: 1, durable: 2, read: 300, written: 80 },
    changes: ['user', 'session', 'account'],
    audit: 'delete-user',
    limits: { whenFull: 'ends', creates: false },
  }),
  deleteUserCallback: getLink('/delete-user/callback', {
    summary: 'Deletes the user with the token of the mailed link; redirects to callbackURL if given',
    access: 'visitor',
    accessRules: { ownSessionFor: ['token'] },
    input: { query: linkQuery(256) },
    answer: deleted,
    errors: [errors.NOT_FOUND, errors.FAILED_TO_GET_USER_INFO, errors.INVALID_TOKEN],
    budget: { d1: 4, kv: 1, read: 300, written: 80 },
    changes: ['user', 'session', 'account'],
    audit: 'delete-user.callback',
    limits: { whenFull: 'ends', creates: false },
  }),
}
