import * as z from 'zod'
import type { Session } from '../../../identity/sessions/sessions.table.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { callable, positive } from '../../../kit/option-schema.ts'
import { defineOptions } from '../../../kit/options.ts'
import type { Roles } from '../../../kit/permissions.ts'
import { days, hours } from '../../../kit/time.ts'
import { defaultRoles } from './default-roles.ts'
import type { Member } from './members.table.ts'
import type { Organization } from './organizations.table.ts'

/** A limit as a number, or as a function of what it is about. */
export type Limit<About> = number | ((about: About) => number | Promise<number>)

export const limitOf = async <About>(limit: Limit<About>, about: About): Promise<number> =>
  typeof limit === 'function' ? limit(about) : limit

const limit = z.union([positive, callable()])

export const organizationOptions = defineOptions(
  'organization',
  {
    enabled: true,
    allowUserToCreateOrganization: true as boolean | ((user: User) => boolean | Promise<boolean>),
    /** Organizations that one person may be a member of before they can create no more; null: any number. */
    organizationLimit: null as null | Limit<User>,
    /** The role of whoever creates an organization. Only those who have it can grant it. */
    creatorRole: 'owner',
    /** Members of one organization; also the most that are listed. */
    membershipLimit: 100 as Limit<{ user: User; organization: Organization }>,
    roles: defaultRoles as Roles,
    invitationExpiresIn: days(2),
    /** How many invitations one person may send, and how many go out from one organization. */
    invitationsPerPerson: { max: 20, window: hours(1) },
    invitationsPerOrganization: { max: 100, window: days(1) },
    /** Pending invitations of one organization. */
    invitationLimit: 100 as Limit<{ user: User; organization: Organization; member: Member }>,
    /** Inviting the same person again with `resend` cancels the earlier invitation. */
    cancelPendingInvitationsOnReInvite: false,
    /** Only who has proven the invited address can accept. */
    requireEmailVerificationOnInvitation: false,
    disableOrganizationDeletion: false,
    teams: {
      enabled: false,
      /** A team named as the organization, with its creator in it. */
      defaultTeam: { enabled: true },
      /** Teams of one organization; null: any number. */
      maximumTeams: null as null | Limit<{ organizationId: string; session: { user: User; session: Session } }>,
      allowRemovingAllTeams: false,
    },
  },
  { requireEmailVerificationOnInvitation: true },
  {
    allowUserToCreateOrganization: z.union([z.boolean(), callable()]),
    organizationLimit: limit.nullable(),
    membershipLimit: limit,
    invitationLimit: limit,
    roles: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
    teams: { maximumTeams: limit.nullable() },
  },
)

export const teamsAreOn = (options: Readonly<Record<string, unknown>>): boolean =>
  organizationOptions.of({ options }).enabled && organizationOptions.of({ options }).teams.enabled
