import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { AppErrorKind } from '../../../kit/errors.ts'
import { newId } from '../../../kit/random.ts'
import { deactivateTeam } from '../model/active-organization.store.ts'
import { rolesUnchanged } from '../model/membership.store.ts'
import { foundMembership, memberMay, requireMembership, resolveOrganizationId } from '../model/membership.ts'
import { organizationOptions, resolveLimit } from '../model/organization.config.ts'
import type { Team } from '../model/teams.table.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { settleTeams } from './team-members.store.ts'
import { teamErrors as errors } from './teams.errors.ts'
import * as store from './teams.store.ts'

export async function createTeam(scope: Scope, caller: Caller, name: string, given: string | undefined): Promise<Team> {
  const { organization, member } = await requireMembership(scope, caller, given, {
    missing: shared.NO_ACTIVE_ORGANIZATION,
    outside: errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION,
  })
  if (!memberMay(scope, member, { team: ['create'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION()
  }
  const { maximumTeams } = organizationOptions.of(scope).teams
  const organizationId = organization.id
  const limit = maximumTeams === null ? null : await resolveLimit(maximumTeams, { organizationId, session: caller })
  const now = scope.now()
  const team = { id: newId(), name, organizationId, createdAt: now, updatedAt: now }
  const work = unitOfWork(scope)
  work.require(rolesUnchanged(member), errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM)
  work.require(store.hasFewerTeams(organizationId, limit), errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS)
  work.unique('teams.organization_id', errors.TEAM_ALREADY_EXISTS)
  work.audit({ subjectType: 'team', subjectId: team.id, after: { name } })
  work.run(store.insertTeam(scope.db, team))
  await work.commit()
  return team
}

/** The caller's membership and a team of the same organization. @throws `outside` if the caller is not a member */
async function requireTeam(
  scope: Scope,
  caller: Caller,
  given: string | undefined,
  teamId: string,
  outside: AppErrorKind,
) {
  const organizationId = resolveOrganizationId(caller, given, shared.NO_ACTIVE_ORGANIZATION)
  const found = await store.findTeamFor(scope.db, caller.user.id, organizationId, teamId)
  const refusals = { missing: shared.NO_ACTIVE_ORGANIZATION, outside }
  const { member } = foundMembership(scope, caller, given, found.membership, refusals)
  return { member, team: found.team }
}

export async function removeTeam(
  scope: Scope,
  caller: Caller,
  teamId: string,
  given: string | undefined,
): Promise<void> {
  const notThis = errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM
  const { member, team } = await requireTeam(scope, caller, given, teamId, notThis)
  if (member.teamId === teamId) throw notThis()
  if (!memberMay(scope, member, { team: ['delete'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION()
  }
  if (!team) throw shared.TEAM_NOT_FOUND()
  const { allowRemovingAllTeams } = organizationOptions.of(scope).teams
  const refused = allowRemovingAllTeams ? shared.TEAM_NOT_FOUND : errors.UNABLE_TO_REMOVE_LAST_TEAM
  const work = unitOfWork(scope)
  work.audit({ subjectType: 'team', subjectId: team.id, before: { name: team.name } })
  work.run(store.deleteTeam(scope.db, team, member, allowRemovingAllTeams)).orFail(refused)
  work.run(settleTeams(scope.db, team.organizationId))
  work.run(deactivateTeam(scope.db, team))
  await work.commit()
}

export async function updateTeam(
  scope: Scope,
  caller: Caller,
  teamId: string,
  { name, organizationId: given }: { name?: string | undefined; organizationId?: string | undefined },
): Promise<Team> {
  const notThis = errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM
  const { member, team } = await requireTeam(scope, caller, given, teamId, notThis)
  if (!memberMay(scope, member, { team: ['update'] })) throw notThis()
  if (!team) throw shared.TEAM_NOT_FOUND()
  if (name === undefined) return team
  const work = unitOfWork(scope)
  work.unique('teams.organization_id', errors.TEAM_ALREADY_EXISTS)
  work.audit({ subjectType: 'team', subjectId: team.id, before: { name: team.name }, after: { name } })
  const renamed = work
    .run(store.renameTeam(scope.db, team, member, name, scope.now()), { unlessUnchanged: true })
    .orFail(shared.TEAM_NOT_FOUND)
  await work.commit()
  return renamed.row
}
