import * as z from 'zod'
import type { RecencyQuestion } from '../../../http/endpoint.ts'
import type { Session } from '../../../identity/model/sessions.table.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { OrganizationRolesOf, ProductTypes } from '../../../kit/account-types.ts'
import {
  callable,
  defineOptions,
  extending,
  flag,
  positive,
  type Retyped,
  limitOf as rate,
  section,
  zeroOrMore,
} from '../../../kit/options.ts'
import { defaultRoles } from '../../../kit/organization-roles.ts'
import { type Roles, splitRoles } from '../../../kit/permissions.ts'
import { days, hours } from '../../../kit/time.ts'
import type { Member } from './members.table.ts'
import type { Organization } from './organizations.table.ts'

export type Limit<About> = number | ((about: About) => number | Promise<number>)

export const resolveLimit = async <About>(limit: Limit<About>, about: About): Promise<number> =>
  typeof limit === 'function' ? limit(about) : limit

const limit = <About>() => z.union([positive, callable<(about: About) => number | Promise<number>>()])

export const organizationOptions = defineOptions(
  'organization',
  () =>
    section({
      enabled: flag(true),
      /** Whether users may create organizations, or a function that decides it for one user. */
      allowUserToCreateOrganization: z
        .union([z.boolean(), callable<(user: User) => boolean | Promise<boolean>>()])
        .default(true),
      /** A user with this many memberships cannot create an organization; null: any number. */
      organizationLimit: limit<User>().nullable().default(100),
      /** The same for guests (feature anonymous), because a visitor can create thousands of them. */
      guestOrganizationLimit: zeroOrMore.default(0),
      /** The role of the user who creates an organization. Only users with this role can grant it. */
      creatorRole: z.string().default('owner'),
      /** Members of one organization; also the maximum of a list. With a directory, `directory.maxUsers` if this is a lower number. */
      membershipLimit: limit<{ user: User; organization: Organization }>().default(100),
      /** The permissions of each role. Given roles extend the default ones. */
      roles: extending<Roles>(defaultRoles, z.record(z.string(), z.array(z.string()))),
      /** Lifetime of an invitation. */
      invitationExpiresIn: positive.default(days(2)),
      /**
       * A new session begins in the organization that the user has activated last, on any device, or in the user's only
       * one. Otherwise, and without this option, none is active.
       */
      activateOnSignIn: flag(true),
      /** How long (s) an invitation is stored after its expiry, in any state. */
      invitationsKeptFor: positive.default(days(30)),
      /** Invitations that one user sends, that one organization sends, and that one address (an IPv6 /64) sends. */
      invitationsPerPerson: rate(20, hours(1)),
      invitationsPerOrganization: rate(100, days(1)),
      invitationsPerAddress: rate(100, hours(1)),
      /** Those of a user without a verified address. In the strict profile such a user sends none. */
      unverifiedInvitationsPerPerson: rate(10, days(1)),
      /** Pending invitations of one organization. */
      invitationLimit: limit<{ user: User; organization: Organization; member: Member }>().default(100),
      /** A new invitation to the same address with `resend` cancels the earlier one. */
      cancelPendingInvitationsOnReInvite: flag(false),
      /** Only a user who has verified the invited address can accept. */
      requireEmailVerificationOnInvitation: flag(false),
      /** Whether members cannot delete their organization; administrators still can. */
      disableOrganizationDeletion: flag(false),
      teams: section({
        /** Whether organizations have teams. */
        enabled: flag(false),
        /** A team with the name of the organization, whose first member is the creator. */
        defaultTeam: section({
          /** Whether a new organization has a first team. */
          enabled: flag(true),
        }),
        /** Teams of one organization; null: any number. */
        maximumTeams: limit<{ organizationId: string; session: { user: User; session: Session } }>()
          .nullable()
          .default(100),
        /** Members of one team; null: any number. */
        maximumMembersPerTeam: limit<{
          teamId: string
          organizationId: string
          session: { user: User; session: Session }
        }>()
          .nullable()
          .default(null),
        /** Whether the last team of an organization may be removed. */
        allowRemovingAllTeams: flag(false),
      }),
    }),
  {
    strict: { requireEmailVerificationOnInvitation: true },
    contradictions: ({ enabled, roles, creatorRole }) => [
      [
        enabled && !Object.hasOwn(roles, creatorRole),
        'organization.creatorRole',
        `names ${creatorRole}, which organization.roles does not have`,
      ],
    ],
  },
)

export interface TypedOrganizationOptions<T extends ProductTypes> {
  organization?: Retyped<typeof organizationOptions, { roles?: OrganizationRolesOf<T['product']> }>
}

export const teamsAreOn = (options: Readonly<Record<string, unknown>>): boolean =>
  organizationOptions.of({ options }).enabled && organizationOptions.of({ options }).teams.enabled

/**
 * Whether the roles of a body administer the organization: the creator's, `admin`, and every role with permissions on the
 * organization itself or its members.
 */
export const grantsOrganizationAdministration = ({ options, given }: RecencyQuestion): boolean => {
  const { roles, creatorRole } = organizationOptions.of({ options })
  return splitRoles(given.role as string | string[]).some(
    (name) =>
      name === creatorRole ||
      name === 'admin' ||
      (Object.hasOwn(roles, name) && ['organization', 'member'].some((resource) => roles[name]![resource]?.length)),
  )
}
