import { reading, routes } from '../../http/routes.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { pageOf } from '../../kit/page.ts'
import { createOrganization } from './create-organization.ts'
import { invitationHandlers } from './invitations/invitations.routes.ts'
import { showInvitation } from './invitations/shown-invitation.ts'
import { readLogo, uploadLogo } from './logo.ts'
import { memberHandlers } from './members/members.routes.ts'
import { organizationOptions } from './model/organization.config.ts'
import {
  presentListedOrganization,
  presentMember,
  presentMemberWithUser,
  presentOrganization,
  presentTeam,
} from './model/present-membership.ts'
import { organizationContract } from './organization.contract.ts'
import { type FullOrganization, fullQueries, organizationsQuery, readFull } from './organization.store.ts'
import {
  deleteOrganization,
  memberLimit,
  requireFreeSlug,
  requireFull,
  setActiveOrganization,
  updateOrganization,
} from './organization.ts'
import { roleHandlers } from './roles/roles.routes.ts'

const presentFull = (scope: Scope, caller: Caller, full: FullOrganization) => ({
  ...presentOrganization(full.organization),
  invitations: full.invitations.map((invitation) => showInvitation(scope, caller, full.member, invitation)),
  members: full.members.map(({ member, user }) => presentMemberWithUser(scope, member, user)),
  teams: organizationOptions.of(scope).teams.enabled ? full.teams.map(presentTeam) : null,
})

export const organizationRoutes = routes(organizationContract, {
  createOrganization: async ({ scope, caller, body }) => {
    const keep = body.keepCurrentActiveOrganization ?? false
    const { organization, creator } = await createOrganization(scope, caller, body, keep)
    const { name, slug, logo, createdAt, metadata, id } = organization
    const ownMetadata = metadata === null ? {} : { metadata }
    return { name, slug, logo, createdAt, ...ownMetadata, id, members: [presentMember(scope, creator)] }
  },
  checkSlug: async ({ scope, body }) => {
    await requireFreeSlug(scope, body.slug)
    return { status: true as const }
  },
  updateOrganization: async ({ scope, caller, body }) =>
    presentOrganization(await updateOrganization(scope, caller, body.organizationId, body.data)),
  uploadLogo: async ({ scope, caller, body }) => presentOrganization(await uploadLogo(scope, caller, body)),
  readLogo: ({ scope, params }) => readLogo(scope, params.name),
  deleteOrganization: async ({ scope, caller, body }) =>
    presentOrganization(await deleteOrganization(scope, caller, body.organizationId)),
  // In the protocol this response contains no teams, even if teams are on.
  setActiveOrganization: async ({ scope, caller, body }) => {
    const full = await setActiveOrganization(scope, caller, body)
    return full && { ...presentFull(scope, caller, full), teams: null }
  },
  getFullOrganization: reading(
    ({ scope, own, query: { organizationId, organizationSlug } }) => {
      const key = organizationSlug
        ? { slug: organizationSlug }
        : { id: organizationId || own.ofSession('activeOrganizationId') }
      return fullQueries(scope.db, own.userId, key, memberLimit(scope))
    },
    async ({ scope, caller, query }, rows) => {
      const { organizationId, organizationSlug } = query
      if (!organizationSlug && !organizationId && !caller.session.activeOrganizationId) return null
      return presentFull(scope, caller, await requireFull(scope, caller, query, readFull(rows)))
    },
  ),
  listOrganizations: reading(
    ({ scope, own, query }) => ({ organizations: organizationsQuery(scope.db, own, pageOf(query)) }),
    (_call, { organizations }) => organizations.map(presentListedOrganization),
  ),
  ...memberHandlers,
  ...invitationHandlers,
  ...roleHandlers,
})
