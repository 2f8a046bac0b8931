import type { Caller, Scope } from '../../../identity/scope.ts'
import { showSession } from '../../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import type { AppErrorKind } from '../../../kit/errors.ts'
import type { Permissions } from '../../../kit/permissions.ts'
import { newId } from '../../../kit/random.ts'
import { activateTeamInSession, deactivateTeam } from '../model/active-organization.store.ts'
import { isMember, rolesUnchanged } from '../model/membership.store.ts'
import { foundMembership, memberMay, resolveOrganizationId } from '../model/membership.ts'
import { organizationOptions, resolveLimit } from '../model/organization.config.ts'
import type { Team } from '../model/teams.table.ts'
import { changingErrors, organizationErrors as shared } from '../organization.errors.ts'
import * as store from './team-members.store.ts'
import { activatingErrors, teamErrors as errors } from './teams.errors.ts'
import { findTeamFor } from './teams.store.ts'

export interface TeamMember {
  id: string
  teamId: string
  userId: string
  createdAt: Date
}

interface Choice {
  teamId: string
  userId: string
  organizationId?: string | undefined
}

/**
 * A team, and a unit of work that fails unless the caller may change its members, the team exists, and the user is a
 * member of the organization. @throws the same errors
 */
async function changeTeam(
  scope: Scope,
  caller: Caller,
  { teamId, userId, organizationId: given }: Choice,
  { wanted, refused }: { wanted: Permissions; refused: AppErrorKind },
): Promise<{ team: Team; work: Work }> {
  const outside = changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION
  const organizationId = resolveOrganizationId(caller, given, shared.NO_ACTIVE_ORGANIZATION)
  const { membership, team } = await findTeamFor(scope.db, caller.user.id, organizationId, teamId)
  const { member } = foundMembership(scope, caller, given, membership, {
    missing: shared.NO_ACTIVE_ORGANIZATION,
    outside,
  })
  if (!memberMay(scope, member, wanted)) throw refused()
  if (!team) throw shared.TEAM_NOT_FOUND()
  const work = unitOfWork(scope)
  work.require(rolesUnchanged(member), refused)
  work.require(store.exists(team), shared.TEAM_NOT_FOUND)
  work.require(isMember(organizationId, userId), outside)
  work.audit({ subjectId: userId, after: { team: team.name, teamId } })
  return { team, work }
}

/** Adds a member of the organization to a team. Does nothing for a user who is in the team. @throws see the contract */
export async function addTeamMember(scope: Scope, caller: Caller, choice: Choice): Promise<TeamMember> {
  const { team, work } = await changeTeam(scope, caller, choice, {
    wanted: { member: ['update'] },
    refused: errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER,
  })
  const { maximumMembersPerTeam: maximum } = organizationOptions.of(scope).teams
  const { id: teamId, organizationId } = team
  const limit = maximum === null ? null : await resolveLimit(maximum, { teamId, organizationId, session: caller })
  const { userId } = choice
  work.require(store.mayJoin(team, userId, limit), errors.TEAM_MEMBER_LIMIT_REACHED)
  work.run(store.addToTeam(scope.db, team, userId, { id: newId(), now: scope.now() }), {
    unlessAlready: store.isInTeam(team, userId),
  })
  const added = work.run(store.teamMemberQuery(scope.db, team, userId))
  await work.commit()
  return added.row!
}

/** Removes a user from a team, but not from the organization. @throws see the contract */
export async function removeTeamMember(scope: Scope, caller: Caller, choice: Choice): Promise<void> {
  const { team, work } = await changeTeam(scope, caller, choice, {
    wanted: { member: ['delete'] },
    refused: errors.YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER,
  })
  const { userId } = choice
  work.require(store.isInTeam(team, userId), errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM)
  work.run(store.removeFromTeam(scope.db, team, userId))
  work.run(store.settleTeams(scope.db, team.organizationId))
  work.run(deactivateTeam(scope.db, team, userId))
  await work.commit()
}

/** Sets the session's active team; null clears it. @throws see the contract */
export async function setActiveTeam(
  scope: Scope,
  caller: Caller,
  given: string | null | undefined,
): Promise<Team | null> {
  const { id: sessionId, activeOrganizationId, activeTeamId } = caller.session
  const teamId = given === undefined ? activeTeamId : given
  if (!teamId) {
    if (activeTeamId !== null) {
      const work = unitOfWork(scope)
      work.run(activateTeamInSession(scope.db, sessionId, null))
      await work.commit()
    }
    showSession(scope, caller, { activeTeamId: null })
    return null
  }
  if (!activeOrganizationId) throw shared.NO_ACTIVE_ORGANIZATION()
  const [found] = await store.teamForQuery(scope.db, caller.user.id, teamId)
  if (found?.team.organizationId !== activeOrganizationId) throw shared.TEAM_NOT_FOUND()
  const work = unitOfWork(scope)
  work.require(store.isInTeam(found.team, caller.user.id), activatingErrors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM)
  work.run(activateTeamInSession(scope.db, sessionId, found.team), { unlessUnchanged: true })
  await work.commit()
  showSession(scope, caller, { activeTeamId: teamId })
  return found.team
}
