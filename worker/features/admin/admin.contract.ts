import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { presentedSession, sessionAndUser, shownDevice } from '../../identity/sessions/sessions.contract.ts'
import { emailInput, passwordInput, presentedUser, statusAnswer } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { boundedRecord } from '../../kit/bounded-record.ts'
import { imageInput, nameInput } from '../../kit/inputs.ts'
import { listOf } from '../../kit/page.ts'
import type { Roles } from '../../kit/permissions.ts'
import { grantsAdministration } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { auditContract } from './audit/audit.contract.ts'
import { exportContract } from './export/export.contract.ts'
import { listUsersContract } from './list-users/list-users.contract.ts'

const idInput = z.string().min(1).max(64)
const roleInput = z.union([z.string().max(512), z.array(z.string().max(64)).max(32)])
const userAnswer = z.object({ user: presentedUser })
const successAnswer = z.object({ success: z.literal(true) })
const permissions = boundedRecord(z.string().max(64), z.array(z.string().max(64)).max(64), 100)
const centuries = 100 * 365 * 86_400

/** The errors of every request that acts on a user. */
const refusals = [core.UNAUTHORIZED, errors.USER_NOT_FOUND, errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME] as const

/** The identifiers of a user at a sign-in. */
const identifiers = ['email', 'username', 'phoneNumber']

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { admin: true }
  lifetimes: { impersonation: number }
  /** The permissions of each role of the application, and the role of new users. */
  admin: { roles: Roles; defaultRole: string }
}

export const adminContract = {
  setRole: post('/admin/set-role', {
    limits: { whenFull: 'secures' },
    summary: 'Replaces the roles of a user',
    access: { admin: { user: ['set-role'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE },
    accessRules: { recentFor: grantsAdministration },
    input: { body: z.object({ userId: idInput, role: roleInput }) },
    answer: userAnswer,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE,
      errors.ROLE_NOT_FOUND,
      errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN,
    ],
    budget: { d1: 4 },
    changes: ['user'],
    audit: 'admin.set-role',
  }),
  createUser: post('/admin/create-user', {
    summary: 'Creates a user with a password',
    access: { admin: { user: ['create'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS },
    accessRules: { recentFor: grantsAdministration },
    input: {
      body: z.object({
        email: emailInput,
        password: passwordInput,
        name: nameInput.min(1),
        role: roleInput.optional(),
        /** An image, additional fields and the inputs of other features at sign-up. */
        data: z.looseObject({ image: imageInput.nullish() }).optional(),
      }),
    },
    answer: userAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS,
      errors.ROLE_NOT_FOUND,
      errors.USER_ALREADY_EXISTS,
      core.PASSWORD_TOO_SHORT,
      core.PASSWORD_TOO_LONG,
      core.PASSWORD_TOO_COMMON,
      errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME,
    ],
    budget: { d1: 2 },
    changes: ['user'],
    audit: 'admin.create-user',
  }),
  updateUserAsAdmin: post('/admin/update-user', {
    summary: 'Updates the name, image, email address or additional fields of a user; a new address is unverified',
    access: { admin: { user: ['update'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS },
    accessRules: {
      recentFor: ({ given }) =>
        identifiers.some((field) => (given.data as Record<string, unknown>)[field] !== undefined),
    },
    input: {
      body: z.object({
        userId: idInput,
        data: z.looseObject({
          name: nameInput.min(1).optional(),
          image: imageInput.nullish(),
          email: emailInput.optional(),
        }),
      }),
    },
    answer: presentedUser,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS,
      errors.NO_DATA_TO_UPDATE,
      errors.USER_ALREADY_EXISTS,
      core.LAST_WAY_TO_SIGN_IN,
    ],
    budget: { d1: 4 },
    changes: ['user'],
    audit: 'admin.update-user',
  }),
  ...listUsersContract,
  getUser: get('/admin/get-user', {
    summary: 'Returns a user with their accounts and related data, such as organizations',
    access: { admin: { user: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS },
    input: { query: z.object({ id: idInput }) },
    answer: presentedUser.extend({
      accounts: listOf(
        z.object({ id: z.string(), providerId: z.string(), accountId: z.string(), createdAt: z.date() }),
      ),
      /** Lists by name, such as `organizations`. */
      about: z.record(z.string(), listOf(z.record(z.string(), z.unknown()))),
    }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS, errors.USER_NOT_FOUND],
    budget: { d1: 1 },
    reads: { uses: ['aboutUser', 'wayIn'] },
    changes: [],
  }),
  listUserSessions: post('/admin/list-user-sessions', {
    summary: 'Lists the active sessions of a user, including impersonation sessions, newest first',
    access: { admin: { session: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS },
    input: { body: z.object({ userId: idInput }) },
    answer: z.object({ sessions: listOf(presentedSession.extend({ device: shownDevice })) }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS],
    budget: { d1: 2 },
    changes: [],
  }),
  banUser: post('/admin/ban-user', {
    limits: { whenFull: 'secures' },
    summary: "Bans a user temporarily or permanently and revokes the user's sessions, keys and tokens",
    access: { admin: { user: ['ban'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS },
    input: {
      body: z.object({
        userId: idInput,
        banReason: z.string().trim().max(500).nullish(),
        /** Seconds. */
        banExpiresIn: z.number().min(1).max(centuries).nullish(),
      }),
    },
    answer: userAnswer,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS,
      errors.YOU_CANNOT_BAN_YOURSELF,
      errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN,
    ],
    budget: { d1: 4, read: 150, written: 80 },
    changes: ['user', 'session'],
    audit: 'admin.ban-user',
  }),
  unbanUser: post('/admin/unban-user', {
    limits: { whenFull: 'secures' },
    summary: 'Removes the ban of a user',
    access: { admin: { user: ['ban'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS },
    input: { body: z.object({ userId: idInput }) },
    answer: userAnswer,
    errors: [...refusals, errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS],
    budget: { d1: 3 },
    changes: ['user'],
    audit: 'admin.unban-user',
  }),
  impersonateUser: post('/admin/impersonate-user', {
    summary: "Impersonates another user for one hour; stop-impersonating restores the administrator's session",
    access: { admin: { user: ['impersonate'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS },
    accessRules: { recentFor: () => true },
    input: {
      body: z.object({
        userId: idInput,
        /** For the audit log. A client that asks for a reason sends one; `admin.requireImpersonationReason` demands it. */
        reason: z.string().trim().min(1).max(500).nullish(),
      }),
    },
    answer: sessionAndUser,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS,
      errors.YOU_CANNOT_IMPERSONATE_ADMINS,
      errors.BANNED_USERS_CANNOT_BE_IMPERSONATED,
      errors.REASON_REQUIRED,
    ],
    budget: { d1: 3 },
    changes: ['session'],
    audit: 'admin.impersonate-user',
  }),
  stopImpersonating: post('/admin/stop-impersonating', {
    summary: "Ends the impersonation and restores the administrator's own session if it is still active",
    // The impersonation may have expired already; a separate cookie identifies the administrator's session.
    access: 'visitor',
    answer: sessionAndUser,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.SESSION_KEY_REQUIRED,
      errors.YOU_ARE_NOT_IMPERSONATING_ANYONE,
      errors.FAILED_TO_FIND_ADMIN_SESSION,
    ],
    budget: { d1: 3 },
    changes: ['session'],
    audit: 'admin.stop-impersonating',
    limits: { creates: 'ends' },
  }),
  revokeUserSession: post('/admin/revoke-user-session', {
    limits: { whenFull: 'ends' },
    summary: 'Revokes a session of any user',
    access: { admin: { session: ['revoke'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS },
    input: { body: z.object({ sessionToken: z.string().min(1).max(256) }) },
    answer: successAnswer,
    errors: [...refusals, errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS],
    budget: { d1: 4 },
    changes: ['session'],
    audit: 'admin.revoke-user-session',
  }),
  revokeUserSessions: post('/admin/revoke-user-sessions', {
    limits: { whenFull: 'ends' },
    summary: 'Revokes all sessions of a user',
    access: { admin: { session: ['revoke'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS },
    input: { body: z.object({ userId: idInput }) },
    answer: successAnswer,
    errors: [...refusals, errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS],
    budget: { d1: 3, read: 150, written: 100 },
    changes: ['session'],
    audit: 'admin.revoke-user-sessions',
  }),
  removeUser: post('/admin/remove-user', {
    limits: { whenFull: 'ends' },
    summary: 'Deletes a user and all data of the user',
    access: { admin: { user: ['delete'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS },
    accessRules: { recentFor: () => true },
    input: { body: z.object({ userId: idInput }) },
    answer: successAnswer,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS,
      errors.YOU_CANNOT_REMOVE_YOURSELF,
      errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN,
    ],
    budget: { d1: 7, read: 300, written: 100 },
    changes: ['user', 'session', 'organization'],
    audit: 'admin.remove-user',
  }),
  setUserPassword: post('/admin/set-user-password', {
    limits: { whenFull: 'secures' },
    summary: "Sets the password of a user and revokes the user's sessions, unused links and codes",
    access: { admin: { user: ['set-password'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD },
    accessRules: { recentFor: () => true },
    input: { body: z.object({ userId: idInput, newPassword: passwordInput }) },
    answer: statusAnswer,
    errors: [
      ...refusals,
      errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD,
      core.PASSWORD_TOO_SHORT,
      core.PASSWORD_TOO_LONG,
      core.PASSWORD_TOO_COMMON,
    ],
    budget: { d1: 3, read: 150, written: 100 },
    changes: ['account', 'session'],
    audit: 'admin.set-user-password',
  }),
  hasAdminPermission: post('/admin/has-permission', {
    summary: 'Checks whether the caller, a user or a role has all of the given permissions',
    access: 'session',
    input: {
      body: z
        .object({
          /** Another user than the caller requires the permission to list users. */
          userId: idInput.optional(),
          role: z.string().max(512).optional(),
          permissions: permissions.optional(),
          /** Deprecated name of the same. */
          permission: permissions.optional(),
        })
        .refine((body) => body.permissions ?? body.permission, { path: ['permissions'], message: 'is required' }),
      example: { permissions: { user: ['list'] } },
    },
    answer: z.object({ error: z.null(), success: z.boolean() }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS, errors.USER_NOT_FOUND],
    budget: { d1: 2 },
    changes: [],
  }),
  ...auditContract,
  ...exportContract,
}
