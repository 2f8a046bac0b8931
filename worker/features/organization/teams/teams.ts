import type { Caller, Scope } from '../../../identity/scope.ts'
import { newId } from '../../../kit/random.ts'
import { isUniqueViolation } from '../../../platform/database.ts'
import { limitOf, organizationOptions } from '../membership/membership.config.ts'
import { organizationErrors as shared } from '../membership/membership.errors.ts'
import { foundMembership, meantOrganization, memberMay, requireMembership } from '../membership/membership.ts'
import type { Team } from '../membership/teams.table.ts'
import { teamErrors as errors } from './teams.errors.ts'
import * as store from './teams.store.ts'

/** Runs a write whose only conflict can be the name. @throws TEAM_ALREADY_EXISTS */
async function withFreeName<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (thrown) {
    if (isUniqueViolation(thrown)) throw errors.TEAM_ALREADY_EXISTS()
    throw thrown
  }
}

/** @throws see the contract */
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
  const limit = maximumTeams === null ? null : await limitOf(maximumTeams, { organizationId, session: caller })
  const now = scope.now()
  const team = { id: newId(), name, organizationId, createdAt: now, updatedAt: now }
  const written = await withFreeName(store.insertTeam(scope.db, team, member, limit))
  if (written === 'full') throw errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS()
  if (written === 'other-roles') throw errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM()
  return team
}

/** The caller's membership and a team of the same organization. @throws `outside` for those who are not members */
async function requireTeam(
  scope: Scope,
  caller: Caller,
  given: string | undefined,
  teamId: string,
  outside: typeof errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM,
) {
  const organizationId = meantOrganization(caller, given, shared.NO_ACTIVE_ORGANIZATION)
  const found = await store.findTeamFor(scope.db, caller.user.id, organizationId, teamId)
  const refusals = { missing: shared.NO_ACTIVE_ORGANIZATION, outside }
  const { member } = foundMembership(scope, caller, given, found.membership, refusals)
  return { member, team: found.team }
}

/** @throws see the contract */
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
  const removed = await store.deleteTeam(scope.db, team, member, allowRemovingAllTeams)
  if (!removed) throw allowRemovingAllTeams ? shared.TEAM_NOT_FOUND() : errors.UNABLE_TO_REMOVE_LAST_TEAM()
}

/** @throws see the contract */
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
  const renamed = await withFreeName(store.renameTeam(scope.db, team, member, name, scope.now()))
  if (!renamed) throw shared.TEAM_NOT_FOUND()
  return renamed
}
