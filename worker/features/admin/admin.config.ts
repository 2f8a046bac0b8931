import * as z from 'zod'
import { positive } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import type { Roles } from '../../kit/permissions.ts'
import { hours } from '../../kit/time.ts'
import { defaultRoles } from './default-roles.ts'

export const adminOptions = defineOptions(
  'admin',
  {
    enabled: true,
    /** Addresses whose owners become administrators once the address is verified; how the first one comes to be. */
    emails: [] as string[],
    /** Ids of users who may do everything, whatever their roles. */
    adminUserIds: [] as string[],
    /** Roles that make an administrator, of whom one always remains. The first is given to `emails`. */
    adminRoles: ['admin'],
    /** The role of whoever signs up. */
    defaultRole: 'user',
    /** What each role may do. Those given here are added to `admin` and `user`. */
    roles: defaultRoles as Roles,
    impersonationSessionDuration: hours(1),
    allowImpersonatingAdmins: false,
    defaultBanReason: 'No reason',
    /** How long (s) a ban lasts that says nothing about it; null: until it is lifted. */
    defaultBanExpiresIn: null as number | null,
    /** What somebody who is banned is told. */
    bannedUserMessage:
      'You have been banned from this application. Please contact support if you believe this is an error.',
  },
  undefined,
  {
    roles: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
    defaultBanExpiresIn: positive.nullable(),
    adminRoles: z.array(z.string().min(1)).min(1),
  },
)
