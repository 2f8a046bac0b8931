import * as z from 'zod'
import { httpErrors } from '../../http/http.errors.ts'
import { operation, requireUserId } from '../../http/operations.ts'
import { archivedPageBudget } from '../../identity/audit/audit-record.schema.ts'
import { chainAnswer, chainInput, listChain } from '../../identity/audit-chain/list-chain.ts'
import { checkpointReads, presentCheckpoints } from '../../identity/audit-chain/list-checkpoints.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { presentedUser } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { deploymentChain } from '../../kit/audit-chain.ts'
import { read } from '../../platform/statements.ts'
import { emailPasswordErrors as passwords } from '../email-password/email-password.errors.ts'
import { adminContract } from './admin.contract.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { listAudit } from './audit/audit.ts'
import { banUser, unbanUser } from './ban.ts'
import { createUser } from './create-user.ts'
import { listUsers } from './list-users/list-users.ts'
import { removeOtherUser } from './remove-user.ts'
import { setRole } from './set-role.ts'
import { updateUser } from './update-user.ts'
import { revokeUserSession, revokeUserSessions } from './user-sessions.ts'

const { setRole: roles, banUser: bans, revokeUserSession: revocations, listAudit: log } = adminContract
const { listAuditCheckpoints: checkpointsOfChain } = adminContract
const { createUser: creations, updateUserAsAdmin: updates, listUsers: lists } = adminContract
const ban = bans.input.body.shape
const newUser = z
  .object({
    ...creations.input.body.omit({ role: true }).shape,
    password: creations.input.body.shape.password.optional(),
    /** Without a password: `true` mails a link to choose one, `false` leaves the user to providers, links and codes. */
    invite: z.boolean().optional(),
  })
  .refine(({ password, invite }) => (password === undefined) !== (invite === undefined), {
    path: ['password'],
    message: 'either password or invite is required',
  })
type NewUser = z.infer<typeof newUser>
export type PasswordOrInvitation = { password: string; invite?: undefined } | { password?: undefined; invite: boolean }
const userInput = z.object({ userId: ban.userId })
const status = z.object({ status: z.literal(true) })
const done = { status: true } as const

const changing = [errors.USER_NOT_FOUND, errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME] as const

/** The audit log records each change. */
export const adminOperations = {
  listUsers: operation(
    {
      summary: 'Lists users with search, filter and order; `cursor` selects the next page.',
      permission: 'users:read',
      input: lists.input.query,
      answer: lists.answer.omit({ limit: true, offset: true }),
      errors: [errors.INVALID_CURSOR],
      budget: { d1: 3, read: 45_000 },
      changes: [],
    },
    async (scope, query) => {
      const { users, total, totalIsCapped, comparedUsers, nextCursor } = await listUsers(scope, query)
      return {
        users: users.map((user) => ({ ...presentUser(scope, user), lastSignInAt: user.lastSignInAt })),
        total,
        ...(totalIsCapped ? { totalIsCapped } : {}),
        ...(comparedUsers === null ? {} : { comparedUsers }),
        nextCursor,
      }
    },
  ),
  createUser: operation(
    {
      summary:
        'Creates a user with a password, or without one: `invite: true` mails a link to choose it, `false` mails nothing. The address is unverified.',
      permission: 'users:write',
      input: newUser as unknown as z.ZodType<
        NewUser,
        Omit<z.input<typeof newUser>, keyof PasswordOrInvitation> & PasswordOrInvitation
      >,
      answer: presentedUser,
      errors: [...creations.errors, passwords.RESET_PASSWORD_ISNT_ENABLED],
      budget: { ...creations.budget, kv: 2 },
      changes: ['user'],
      audit: 'server.create-user',
    },
    async (scope, input) => presentUser(scope, await createUser(scope, null, { ...input, role: undefined })),
  ),
  updateUser: operation(
    {
      summary: 'Updates the name, image, email address or additional fields of a user. A new address is unverified.',
      permission: 'users:write',
      input: updates.input.body,
      answer: presentedUser,
      errors: [...changing, errors.NO_DATA_TO_UPDATE, errors.USER_ALREADY_EXISTS, core.LAST_WAY_TO_SIGN_IN],
      budget: updates.budget,
      changes: ['user'],
      audit: 'server.update-user',
    },
    async (scope, { userId, data }) => presentUser(scope, await updateUser(scope, null, userId, data)),
  ),
  deleteUser: operation(
    {
      limits: { whenFull: 'ends' },
      summary: 'Deletes a user and all data of the user. The last administrator remains.',
      permission: 'users:write',
      input: userInput,
      answer: status,
      errors: [...changing, errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN],
      budget: { d1: 8, read: 300, written: 80 },
      changes: ['user', 'session', 'organization'],
      audit: 'server.delete-user',
    },
    async (scope, { userId }) => {
      if (!(await findUserById(scope.db, userId))) throw errors.USER_NOT_FOUND()
      await removeOtherUser(scope, null, userId)
      return done
    },
  ),
  setRole: operation(
    {
      limits: { whenFull: 'secures' },
      summary:
        'Replaces the roles of a user with one role or several. The last administrator keeps an administrator role.',
      permission: 'users:roles',
      input: roles.input.body,
      answer: presentedUser,
      errors: [...changing, errors.ROLE_NOT_FOUND, errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN],
      budget: roles.budget,
      changes: ['user'],
      audit: 'server.set-role',
    },
    async (scope, { userId, role }) => presentUser(scope, await setRole(scope, null, userId, role)),
  ),
  banUser: operation(
    {
      limits: { whenFull: 'secures' },
      summary:
        'Bans a user and ends their sessions, trusted devices, pending links and codes; `expiresIn` is in seconds.',
      permission: 'users:write',
      input: z.object({ userId: ban.userId, reason: ban.banReason, expiresIn: ban.banExpiresIn }),
      answer: presentedUser,
      errors: [...changing, errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN],
      budget: bans.budget,
      changes: ['user', 'session'],
      audit: 'server.ban-user',
    },
    async (scope, { userId, ...terms }) => presentUser(scope, await banUser(scope, null, userId, terms)),
  ),
  unbanUser: operation(
    {
      limits: { whenFull: 'secures' },
      summary: 'Removes the ban of a user.',
      permission: 'users:write',
      input: userInput,
      answer: presentedUser,
      errors: [...changing],
      budget: { d1: 3 },
      changes: ['user'],
      audit: 'server.unban-user',
    },
    async (scope, { userId }) => presentUser(scope, await unbanUser(scope, null, userId)),
  ),
  revokeSessions: operation(
    {
      limits: { whenFull: 'ends' },
      summary: 'Ends one session by its `token`, or all sessions of the user with `userId`.',
      permission: 'sessions:write',
      input: z.object({
        userId: z.unknown().optional(),
        token: revocations.input.body.shape.sessionToken.optional(),
      }) as unknown as z.ZodType<
        { userId?: string | undefined; token?: string | undefined },
        { userId: string } | { token: string }
      >,
      answer: status,
      errors: [httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED, ...changing],
      budget: { d1: 4 },
      changes: ['session'],
      audit: 'server.revoke-sessions',
    },
    async (scope, { token, userId }) => {
      if (token !== undefined) await revokeUserSession(scope, null, token)
      else await revokeUserSessions(scope, null, requireUserId({ userId }))
      return done
    },
  ),
  listAudit: operation(
    {
      summary: 'Lists the audit log of administrators and servers, newest first; `cursor` selects the next page.',
      permission: 'audit:read',
      input: log.input.query,
      answer: log.answer,
      errors: [errors.INVALID_CURSOR],
      budget: archivedPageBudget,
      changes: [],
    },
    (scope, query) => listAudit(scope, query),
  ),
  listAuditRecords: operation(
    {
      summary: 'Lists audit records with their links, in the order of their numbers, and the states of their chains.',
      permission: 'audit:read',
      input: chainInput,
      answer: chainAnswer,
      errors: [],
      budget: { d1: 2, r2: 1 },
      changes: [],
    },
    (scope, asked) => listChain(scope, asked),
  ),
  listAuditCheckpoints: operation(
    {
      summary: 'Lists the signed checkpoints of the audit log or of an organization, and signs the present state.',
      permission: 'audit:read',
      input: checkpointsOfChain.input.query,
      answer: checkpointsOfChain.answer,
      errors: [errors.INVALID_CURSOR],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, asked) => {
      const chain = asked.organizationId ?? deploymentChain
      const rows = await read(scope.db, checkpointReads(scope.db, chain, asked, errors.INVALID_CURSOR))
      return presentCheckpoints(scope, asked, rows)
    },
  ),
}
