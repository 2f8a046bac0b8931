import * as z from 'zod'
import type { RecencyQuestion } from '../../http/endpoint.ts'
import type { ProductTypes, RolesOf } from '../../kit/account-types.ts'
import { adminRoles as defaultRoles } from '../../kit/admin-roles.ts'
import { comparedAddress } from '../../kit/email-address.ts'
import { defineOptions, extending, flag, positive, type Retyped, section } from '../../kit/options.ts'
import { type Roles, splitRoles } from '../../kit/permissions.ts'
import { hours } from '../../kit/time.ts'

export const adminOptions = defineOptions(
  'admin',
  () =>
    section({
      enabled: flag(true),
      /**
       * Users with these addresses become administrators when they verify the address. This creates the first
       * administrator.
       */
      emails: z.array(z.string().overwrite(comparedAddress)).default([]),
      /** Ids of users who may do everything, whatever their roles. */
      adminUserIds: z.array(z.string()).default([]),
      /**
       * Roles that make a user an administrator; one administrator always remains. Users of `emails` get the first role.
       */
      adminRoles: z.array(z.string().min(1)).min(1).default(['admin']),
      /** The role of new users. */
      defaultRole: z.string().default('user'),
      /** The permissions of each role. Given roles extend `admin` and `user`. */
      roles: extending<Roles>(defaultRoles, z.record(z.string(), z.array(z.string()))),
      /** Duration of a session in which an administrator acts as a user. */
      impersonationSessionDuration: positive.default(hours(1)),
      /**
       * Whether an impersonation needs a reason, which the audit log keeps. The console always asks for one; clients that
       * send none are refused.
       */
      requireImpersonationReason: flag(false),
      /** Whether administrators may act as other administrators. */
      allowImpersonatingAdmins: flag(false),
      /** The reason of a ban without one of its own. */
      defaultBanReason: z.string().default('No reason'),
      /** Duration (s) of a ban without one of its own; null: until an administrator lifts it. */
      defaultBanExpiresIn: positive.nullable().default(null),
      /** The message that banned users get. */
      bannedUserMessage: z
        .string()
        .default('You have been banned from this application. Please contact support if you believe this is an error.'),
    }),
  {
    strict: { requireImpersonationReason: true },
    contradictions: ({ enabled, roles, adminRoles, defaultRole }) =>
      [...adminRoles, defaultRole].map((role) => [
        enabled && !Object.hasOwn(roles, role),
        role === defaultRole ? 'admin.defaultRole' : 'admin.adminRoles',
        `names ${role}, which admin.roles does not have`,
      ]),
  },
)

export interface TypedAdminOptions<T extends ProductTypes> {
  admin?: Retyped<typeof adminOptions, { roles?: RolesOf<T['product']> }>
}

/** Whether the roles of a body make the user an administrator or grant any permission. */
export const grantsAdministration = ({ options, given }: RecencyQuestion): boolean => {
  const { roles, adminRoles } = adminOptions.of({ options })
  return splitRoles((given.role ?? []) as string | string[]).some(
    (name) => adminRoles.includes(name) || Object.values(roles[name] ?? {}).some((actions) => actions.length > 0),
  )
}
