import { routes } from '../../http/routes.ts'
import type { Scope } from '../../identity/scope.ts'
import { createOrganization } from './create-organization.ts'
import { invitationHandlers } from './invitations/invitations.routes.ts'
import { memberHandlers } from './members/members.routes.ts'
import { organizationOptions } from './organization.config.ts'
import { organizationContract } from './organization.contract.ts'
import { type FullOrganization, listOrganizations } from './organization.store.ts'
import {
  deleteOrganization,
  readFullOrganization,
  requireFreeSlug,
  setActiveOrganization,
  updateOrganization,
} from './organization.ts'
import {
  presentInvitation,
  presentMember,
  presentMemberWithUser,
  presentOrganization,
  presentTeam,
} from './present-organization.ts'
import { roleHandlers } from './roles/roles.routes.ts'

const presentFull = (scope: Scope, { organization, invitations, members, teams }: FullOrganization) => ({
  ...presentOrganization(organization),
  invitations: invitations.map((invitation) => presentInvitation(scope, invitation)),
  members: members.map(({ member, user }) => presentMemberWithUser(scope, member, user)),
  teams: organizationOptions.of(scope).teams.enabled ? teams.map(presentTeam) : null,
})

export const organizationRoutes = routes(organizationContract, {
  createOrganization: async ({ scope, caller, body }) => {
    const keep = body.keepCurrentActiveOrganization ?? false
    const { organization, creator } = await createOrganization(scope, caller, body, keep)
    const { name, slug, logo, createdAt, metadata, id } = organization
    const told = metadata === null ? {} : { metadata }
    return { name, slug, logo, createdAt, ...told, id, members: [presentMember(scope, creator)] }
  },
  checkSlug: async ({ scope, body }) => {
    await requireFreeSlug(scope, body.slug)
    return { status: true as const }
  },
  updateOrganization: async ({ scope, caller, body }) =>
    presentOrganization(await updateOrganization(scope, caller, body.organizationId, body.data)),
  deleteOrganization: async ({ scope, caller, body }) =>
    presentOrganization(await deleteOrganization(scope, caller, body.organizationId)),
  // The protocol shows no teams in this answer, whether they are on or not.
  setActiveOrganization: async ({ scope, caller, body }) => {
    const full = await setActiveOrganization(scope, caller, body)
    return full && { ...presentFull(scope, full), teams: null }
  },
  getFullOrganization: async ({ scope, caller, query }) => {
    const full = await readFullOrganization(scope, caller, query)
    return full && presentFull(scope, full)
  },
  listOrganizations: async ({ scope, caller }) =>
    (await listOrganizations(scope.db, caller.user.id)).map(presentOrganization),
  ...memberHandlers,
  ...invitationHandlers,
  ...roleHandlers,
})
