import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { presentedSession, sessionAndUser, shownDevice } from '../../identity/sessions/sessions.contract.ts'
import {
  emailInput,
  passwordInput,
  presentedUser,
  statusAnswer,
  urlInput,
} from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { auditContract } from './audit/audit.contract.ts'
import { listUsersContract } from './list-users/list-users.contract.ts'

const idInput = z.string().min(1).max(64)
const roleInput = z.union([z.string().max(512), z.array(z.string().max(64)).max(32)])
const nameInput = z.string().trim().min(1).max(256)
const userAnswer = z.object({ user: presentedUser })
const successAnswer = z.object({ success: z.literal(true) })
const permissions = z.record(z.string().max(64), z.array(z.string().max(64)).max(64))
const centuries = 100 * 365 * 86_400

/** What every act on a person may be refused with. */
const refusals = [core.UNAUTHORIZED, errors.USER_NOT_FOUND, errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME] as const

export const adminContract = {
  setRole: endpoint({
    method: 'POST',
    path: '/admin/set-role',
    summary: 'Gives somebody one role or several, in place of those they have',
    access: { admin: { user: ['set-role'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE },
    body: z.object({ userId: idInput, role: roleInput }),
    answer: userAnswer,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE,
      errors.ROLE_NOT_FOUND,
      errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN,
    ],
    budget: { d1: 4 },
    changes: ['user'],
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/admin/create-user',
    summary: 'Creates somebody with a password',
    access: { admin: { user: ['create'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS },
    body: z.object({
      email: emailInput,
      password: passwordInput,
      name: nameInput,
      role: roleInput.optional(),
      /** A picture, additional fields, and what other features take at sign-up. */
      data: z.looseObject({ image: urlInput.nullish() }).optional(),
    }),
    answer: userAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS,
      errors.ROLE_NOT_FOUND,
      errors.USER_ALREADY_EXISTS,
      core.PASSWORD_TOO_SHORT,
      core.PASSWORD_TOO_LONG,
      errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME,
    ],
    budget: { d1: 2 },
    changes: ['user'],
  }),
  updateUserAsAdmin: endpoint({
    method: 'POST',
    path: '/admin/update-user',
    summary: "Changes somebody's name, picture, address or further fields; a new address is unverified",
    access: { admin: { user: ['update'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS },
    body: z.object({
      userId: idInput,
      data: z.looseObject({
        name: nameInput.optional(),
        image: urlInput.nullish(),
        email: emailInput.optional(),
      }),
    }),
    answer: presentedUser,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS,
      errors.NO_DATA_TO_UPDATE,
      errors.USER_ALREADY_EXISTS,
    ],
    budget: { d1: 4 },
    changes: ['user'],
  }),
  ...listUsersContract,
  getUser: endpoint({
    method: 'GET',
    path: '/admin/get-user',
    summary: 'A person with their accounts, and with what the features keep for them',
    access: { admin: { user: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS },
    query: z.object({ id: idInput }),
    answer: presentedUser.extend({
      accounts: z.array(
        z.object({ id: z.string(), providerId: z.string(), accountId: z.string(), createdAt: z.date() }),
      ),
      /** Lists by name, such as `organizations`. */
      about: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
    }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS, errors.USER_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  listUserSessions: endpoint({
    method: 'POST',
    path: '/admin/list-user-sessions',
    summary: "Somebody's live sessions, newest first, those in which an administrator acts as them included",
    access: { admin: { session: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS },
    body: z.object({ userId: idInput }),
    answer: z.object({ sessions: z.array(presentedSession.extend({ device: shownDevice })) }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS],
    budget: { d1: 2 },
    changes: [],
  }),
  banUser: endpoint({
    method: 'POST',
    path: '/admin/ban-user',
    summary: 'Bans somebody, for a time or for good, and ends all that they are signed in with',
    access: { admin: { user: ['ban'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS },
    body: z.object({
      userId: idInput,
      banReason: z.string().trim().max(500).nullish(),
      /** Seconds. */
      banExpiresIn: z.number().min(1).max(centuries).nullish(),
    }),
    answer: userAnswer,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS,
      errors.YOU_CANNOT_BAN_YOURSELF,
      errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN,
    ],
    budget: { d1: 4 },
    changes: ['user', 'session'],
  }),
  unbanUser: endpoint({
    method: 'POST',
    path: '/admin/unban-user',
    summary: 'Lifts a ban',
    access: { admin: { user: ['ban'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS },
    body: z.object({ userId: idInput }),
    answer: userAnswer,
    errors: [...refusals, errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS],
    budget: { d1: 3 },
    changes: ['user'],
  }),
  impersonateUser: endpoint({
    method: 'POST',
    path: '/admin/impersonate-user',
    summary: 'Signs in as somebody else for an hour; stop-impersonating leads back',
    access: { admin: { user: ['impersonate'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS },
    body: z.object({ userId: idInput }),
    answer: sessionAndUser,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS,
      errors.YOU_CANNOT_IMPERSONATE_ADMINS,
      errors.BANNED_USERS_CANNOT_BE_IMPERSONATED,
    ],
    budget: { d1: 3 },
    changes: ['session'],
  }),
  stopImpersonating: endpoint({
    method: 'POST',
    path: '/admin/stop-impersonating',
    summary: "Ends the impersonation and goes back to the administrator's own session, if that still lives",
    // The session that it ends may have ended by itself; what leads back is a cookie of its own.
    access: 'visitor',
    answer: sessionAndUser,
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_IMPERSONATING_ANYONE, errors.FAILED_TO_FIND_ADMIN_SESSION],
    budget: { d1: 3 },
    changes: ['session'],
  }),
  revokeUserSession: endpoint({
    method: 'POST',
    path: '/admin/revoke-user-session',
    summary: 'Ends one session, whosever it is',
    access: { admin: { session: ['revoke'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS },
    body: z.object({ sessionToken: z.string().min(1).max(256) }),
    answer: successAnswer,
    errors: [...refusals, errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS],
    budget: { d1: 4 },
    changes: ['session'],
  }),
  revokeUserSessions: endpoint({
    method: 'POST',
    path: '/admin/revoke-user-sessions',
    summary: 'Ends all sessions of somebody',
    access: { admin: { session: ['revoke'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS },
    body: z.object({ userId: idInput }),
    answer: successAnswer,
    errors: [...refusals, errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS],
    budget: { d1: 3 },
    changes: ['session'],
  }),
  removeUser: endpoint({
    method: 'POST',
    path: '/admin/remove-user',
    summary: 'Removes somebody and all that is theirs',
    access: { admin: { user: ['delete'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS },
    body: z.object({ userId: idInput }),
    answer: successAnswer,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS,
      errors.YOU_CANNOT_REMOVE_YOURSELF,
      errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN,
    ],
    budget: { d1: 7 },
    changes: ['user', 'session', 'organization'],
  }),
  setUserPassword: endpoint({
    method: 'POST',
    path: '/admin/set-user-password',
    summary: "Sets somebody's password, and ends their sessions and all that is pending for them",
    access: { admin: { user: ['set-password'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD },
    body: z.object({ userId: idInput, newPassword: passwordInput }),
    answer: statusAnswer,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD,
      core.PASSWORD_TOO_SHORT,
      core.PASSWORD_TOO_LONG,
    ],
    budget: { d1: 3 },
    changes: ['account', 'session'],
  }),
  hasAdminPermission: endpoint({
    method: 'POST',
    path: '/admin/has-permission',
    summary: 'Whether the caller, a user or a role may do all of the given actions',
    access: 'session',
    body: z
      .object({
        /** Of somebody else only those are told who may list users. */
        userId: idInput.optional(),
        role: z.string().max(512).optional(),
        permissions: permissions.optional(),
        /** Deprecated name of the same. */
        permission: permissions.optional(),
      })
      .refine((body) => body.permissions ?? body.permission, { path: ['permissions'], message: 'is required' }),
    exampleBody: { permissions: { user: ['list'] } },
    answer: z.object({ error: z.null(), success: z.boolean() }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS, errors.USER_NOT_FOUND],
    budget: { d1: 2 },
    changes: [],
  }),
  ...auditContract,
}
