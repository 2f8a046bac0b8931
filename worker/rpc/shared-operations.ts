import * as z from 'zod'
import { httpErrors } from '../http/http.errors.ts'
import { operation, requireUserId } from '../http/operations.ts'
import { isAdministratorFor, isMemberFor } from '../identity/registry.ts'
import type { Scope } from '../identity/scope.ts'
import { userIdInput } from '../identity/users/users.contract.ts'
import { coreErrors } from '../identity/users/users.errors.ts'
import { findUserById } from '../identity/users/users.store.ts'
import { boundedRecord } from '../kit/bounded-record.ts'
import { read } from '../platform/statements.ts'
import { archivedPage, type ExportedUser, exportLimits } from './archived-personal-data.ts'
import { collectPersonalData, noPersonalData, placesAbout, userWithId } from './personal-data.store.ts'

const row = z.record(z.string(), z.unknown())

const unknown = (): never => {
  throw coreErrors.USER_NOT_FOUND()
}

async function continued(scope: Scope, userId: string, before: number) {
  const { found, places } = await read(scope.db, {
    found: userWithId(scope.db, userId),
    places: placesAbout(scope.db, userId, before, exportLimits.objects + 1),
  })
  return found.length > 0 ? { data: noPersonalData(), places } : unknown()
}

/** Operations over the data of several features. */
export const sharedOperations = {
  hasPermission: operation(
    {
      summary:
        'Returns whether a user has all of the given permissions, by their roles or by those of their membership in an organization. A user who is not a member has no permissions there.',
      permission: 'users:read',
      input: z.object({
        userId: z.string().max(128),
        permissions: boundedRecord(z.string().max(128), z.array(z.string().max(128)).min(1).max(100), 100).refine(
          (wanted) => Object.keys(wanted).length > 0,
        ),
        organizationId: z.string().max(128).optional(),
      }),
      answer: z.object({ allowed: z.boolean() }),
      errors: [coreErrors.USER_NOT_FOUND],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, { permissions, organizationId, userId }) => {
      if (organizationId !== undefined)
        return { allowed: await isMemberFor(scope, userId, organizationId, permissions, 'all') }
      const user = await findUserById(scope.db, userId)
      if (!user) throw coreErrors.USER_NOT_FOUND()
      return { allowed: isAdministratorFor(scope, user, permissions, 'all') }
    },
  ),
  exportUser: operation(
    {
      summary:
        'Returns all stored data of a user without secrets: rows by table, dates in ISO 8601, bytes in base64. With an archive of the audit log, `more` has a cursor while it has more records; the next call with this cursor returns them, and no other rows.',
      permission: 'users:export',
      input: userIdInput.and(
        z.object({
          cursor: z
            .string()
            .regex(/^\d{1,15}$/)
            .optional(),
        }),
      ),
      answer: z.record(z.string(), z.array(row)) as unknown as z.ZodType<ExportedUser, ExportedUser>,
      errors: [httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED, coreErrors.USER_NOT_FOUND],
      budget: { d1: 1, r2: exportLimits.objects },
      changes: [],
    },
    async (scope, input) => {
      const userId = requireUserId(input)
      const { data, places } =
        input.cursor === undefined
          ? ((await collectPersonalData(scope.db, userId, exportLimits.objects + 1)) ?? unknown())
          : await continued(scope, userId, Number(input.cursor))
      const { records, more } = await archivedPage(scope, userId, places)
      return { ...data, auditRecords: [...data.auditRecords, ...records], ...(more ? { more: [{ ...more }] } : {}) }
    },
  ),
}
