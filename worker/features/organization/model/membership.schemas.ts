import * as z from 'zod'
import { listOf } from '../../../kit/page.ts'

/** Schemas of inputs and responses that the sub-features share; see present-membership.ts. */

export const idInput = z.string().max(64)
export const optionalOrganization = idInput.optional()

/** One role, several joined by commas, or a list. The use case checks which are known and permitted. */
export const roleInput = z.union([z.string().max(512), z.array(z.string().max(128)).max(32)])

export const organizationAnswer = z
  .object({
    name: z.string(),
    slug: z.string(),
    logo: z.string().nullable(),
    createdAt: z.date(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    id: z.string(),
  })
  .meta({ id: 'Organization' })

export const memberAnswer = z
  .object({
    organizationId: z.string(),
    userId: z.string(),
    role: z.string(),
    teamId: z.string().nullish(),
    createdAt: z.date(),
    id: z.string(),
  })
  .meta({ id: 'Member' })

export const memberWithUserAnswer = memberAnswer
  .extend({
    user: z.object({ id: z.string(), name: z.string(), email: z.string(), image: z.string().nullable() }),
  })
  .meta({ id: 'MemberWithUser' })

export const invitationAnswer = z
  .object({
    organizationId: z.string(),
    email: z.string(),
    role: z.string().nullable(),
    teamId: z.string().nullish(),
    status: z.enum(['pending', 'accepted', 'rejected', 'canceled']),
    expiresAt: z.date(),
    inviterId: z.string(),
    id: z.string(),
  })
  .meta({ id: 'Invitation' })

export const teamAnswer = z
  .object({
    name: z.string(),
    organizationId: z.string(),
    createdAt: z.date(),
    updatedAt: z.date().nullable(),
    id: z.string(),
  })
  .meta({ id: 'Team' })

/** Limit of a list of members, regardless of `membershipLimit`. */
export const maxMembers = 1000

export const fullOrganizationAnswer = organizationAnswer
  .extend({
    invitations: listOf(invitationAnswer),
    members: z.array(memberWithUserAnswer).max(maxMembers),
    teams: listOf(teamAnswer).nullable(),
  })
  .meta({ id: 'FullOrganization' })
