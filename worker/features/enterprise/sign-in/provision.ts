import { proveAddress } from '../../../identity/accounts/prove-address.ts'
import { addGivenUser } from '../../../identity/accounts/users.ts'
import type { UpstreamSession } from '../../../identity/model/sessions.table.ts'
import type { User } from '../../../identity/model/users.table.ts'
import { administersDeployment, appointsAdministrator } from '../../../identity/registry.ts'
import type { Scope } from '../../../identity/scope.ts'
import { completeSignIn, type SignInResult } from '../../../identity/sign-in/sign-in.ts'
import { Overtaken, unitOfWork } from '../../../identity/unit-of-work.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import type { Work } from '../../../identity/work.ts'
import { AppError } from '../../../kit/errors.ts'
import { newId } from '../../../kit/random.ts'
import { type Condition, holdsNow } from '../../../platform/statements.ts'
import { addNewMember, addRoleChange } from '../../organization/members/members.store.ts'
import type { Member } from '../../organization/model/members.table.ts'
import { hasFewerMembers, type Membership, rolesUnchanged } from '../../organization/model/membership.store.ts'
import { isOwner, originFields, rolesOutOfReach } from '../../organization/model/membership.ts'
import { organizationOptions } from '../../organization/model/organization.config.ts'
import type { Team } from '../../organization/model/teams.table.ts'
import { addToTeam, removeFromTeam, settleTeams } from '../../organization/teams/team-members.store.ts'
import { addIdentity, findKnown, TooManyAccounts } from '../../social/model/identities.store.ts'
import { recordLink } from '../../social/model/sign-in-by-identity.ts'
import type { Mapping } from '../model/connection-config.ts'
import { type Connection, providerOf } from '../model/connections.table.ts'
import { domainOfAddress } from '../model/domain-names.ts'
import { markManaged, ownsDomain } from '../model/model.store.ts'
import * as store from './provision.store.ts'
import type { Acceptance } from './required-claims.ts'

/** A user whom the identity provider of a connection has authenticated. */
export interface AssertedPerson {
  /** Stable and unique at the identity provider. */
  subject: string
  email: string | null
  name: string
  /** Null: the identity provider sends no groups. */
  groups: string[] | null
  /** Whether the claims are those that the connection requires. */
  acceptance: Acceptance
  /** The session at a SAML identity provider, for its logout. */
  upstream?: UpstreamSession
}

/** Why an asserted user does not sign in: the codes of the error redirects. */
export type SsoRefusal =
  | 'sso_no_address'
  | 'sso_claims_not_allowed'
  | 'sso_address_outside_domains'
  | 'sso_account_of_another_organization'
  | 'sso_account_not_allowed'
  | 'sso_not_a_member'
  | 'sso_organization_is_full'

type Entered = { kind: 'done'; result: SignInResult; isNew: boolean } | { kind: 'refused'; reason: SsoRefusal }

const refused = (reason: SsoRefusal) => ({ kind: 'refused', reason }) as const

/** The maximum number of attempts with parallel requests for the same identity or address. */
const maxRounds = 3

const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
  scope: null,
}

/**
 * Signs in a user whom a connection asserts: finds, links or creates the account and sets the membership, in the batch
 * of the session. @param proof uses the assertion in that batch
 */
export async function signInByConnection(
  scope: Scope,
  connection: Connection,
  person: AssertedPerson,
  proof: (work: Work) => void = () => {},
): Promise<Entered> {
  for (let round = 1; ; round++) {
    const work = unitOfWork(scope)
    proof(work)
    work.require(store.connectionIsUnchanged(connection))
    const match = await matchUser(scope, work, connection, person)
    if (match.kind === 'refused') return match
    work.unique('*', () => new Overtaken())
    const full = new AppError(403, 'ORGANIZATION_IS_FULL', 'The organization is full')
    setMembership(scope, work, { connection, groups: person.groups, match, full })
    scope.auditing.organizationId = connection.organizationId
    scope.auditing.actor = { type: 'user', id: match.user.id, via: connection.id }
    try {
      const result = await completeSignIn(scope, work, {
        user: match.user,
        method: 'sso',
        shownMethod: providerOf(connection),
        proven: match.isNew ? 'creation' : 'provider',
        ...(person.upstream ? { session: { upstream: person.upstream } } : {}),
      })
      return { kind: 'done', result, isNew: match.isNew }
    } catch (thrown) {
      if (thrown === full) return refused('sso_organization_is_full')
      if (thrown instanceof TooManyAccounts) return refused('sso_account_not_allowed')
      if (!wasOvertaken(thrown) || round === maxRounds) throw thrown
    }
  }
}

const wasOvertaken = (thrown: unknown): boolean =>
  thrown instanceof Overtaken || (thrown instanceof AppError && thrown.code === core.FAILED_TO_CREATE_SESSION.code)

interface Match {
  kind: 'matched'
  user: User
  isNew: boolean
  membership: { organization: Membership['organization']; member: Member | null }
  hasRoom: Condition
  teams: Team[]
}

const vouched = { emailVerified: true, addressVouchedBy: 'connection' } as const

/** Finds the account of an identity, links one or creates one. */
async function matchUser(
  scope: Scope,
  work: Work,
  connection: Connection,
  { subject, email, name, acceptance: { isAccepted, tenantDomain } }: AssertedPerson,
): Promise<Match | ReturnType<typeof refused>> {
  const { organizationId, mapping } = connection
  const providerId = providerOf(connection)
  const identity = { providerId, accountId: subject }
  if (!isAccepted) return refused('sso_claims_not_allowed')
  const { account, byEmail } = await findKnown(scope.db, providerId, subject, email)
  // Before anything about accounts: the answer for an address of others reveals nothing about it.
  if (!account) {
    if (email === null) return refused('sso_no_address')
    if (!(await isInOwnDomain(scope, work, connection, email))) return refused('sso_address_outside_domains')
  }
  if (tenantDomain !== null) scope.io.declare({ d1: 1 })
  if (tenantDomain !== null && !(await isInOwnDomain(scope, work, connection, `@${tenantDomain}`))) {
    return refused('sso_claims_not_allowed')
  }
  const known = account?.user ?? byEmail
  const teamIds = mapping.teams.map(({ teamId }) => teamId)
  const found = await store.findMemberships(scope.db, connection, known?.id ?? '', teamIds)
  if (!found.organization) return refused('sso_account_not_allowed')
  const { organization, member, isElsewhere, teams } = found
  if (!member && !mapping.createsMembers) return refused('sso_not_a_member')
  // A former member keeps the account: the connection opens it only while its address is in a domain of the organization.
  if (account && !member && !(await isInOwnDomain(scope, work, connection, account.user.email))) {
    return refused('sso_address_outside_domains')
  }
  // A tenant's identity provider never opens or creates the account of an administrator of the deployment.
  if (known ? administersDeployment(scope, known) : appointsAdministrator(scope, email!))
    return refused('sso_account_not_allowed')
  const matched = async (user: User, isNew: boolean): Promise<Match> => {
    const hasRoom = await hasFewerMembers(scope, { user, organization })
    return { kind: 'matched', user, isNew, membership: { organization, member }, hasRoom, teams }
  }
  // The account of an identity may have left the organization for another one.
  if (known && !member && isElsewhere) return refused('sso_account_of_another_organization')
  if (known) work.require(store.belongsToNoOther(organizationId, known.id))
  if (account) return matched(account.user, false)
  if (byEmail) {
    const proven = proveAddress(scope, work, byEmail, { vouchedBy: 'connection' })
    recordLink(scope, work, byEmail, identity)
    addIdentity(scope, work, proven, identity, noTokens)
    return matched(proven, false)
  }
  const person = { name: name || email!, email: email!, ...vouched, image: null }
  return matched(await addGivenUser(scope, work, person, { ...identity, ...noTokens }), true)
}

/** Whether the organization has verified the domain of an address. The batch requires it again. */
async function isInOwnDomain(
  scope: Scope,
  work: Work,
  { organizationId }: Connection,
  address: string,
): Promise<boolean> {
  const domain = domainOfAddress(address)
  if (domain === null || !(await holdsNow(scope.db, ownsDomain(organizationId, domain)))) return false
  work.require(ownsDomain(organizationId, domain))
  return true
}

/** The role of the user's first mapped group; null without one. */
const roleOf = ({ roles }: Mapping, groups: readonly string[] | null): string | null =>
  roles.find(({ group }) => groups?.includes(group))?.role ?? null

/** Makes the user a member with the mapped role and teams. Only owners appoint and remove owners. */
function setMembership(
  scope: Scope,
  work: Work,
  by: { connection: Connection; groups: AssertedPerson['groups']; match: Match; full: AppError },
): void {
  const { groups, full } = by
  const { id: connectionId, mapping } = by.connection
  const { user, hasRoom, teams } = by.match
  const { organization, member } = by.match.membership
  const mapped = roleOf(mapping, groups)
  if (!member) {
    const role = mapped ?? mapping.defaultRole
    const added = {
      id: newId(),
      organizationId: organization.id,
      userId: user.id,
      role,
      teamId: null,
      createdAt: scope.now(),
      ...originFields('connection', connectionId),
    }
    work.require(hasRoom, () => full)
    addNewMember(scope, work, { organization, member: added })
  } else if (!member.isManaged) work.run(markManaged(scope.db, organization.id, user.id))
  if (member && mapped !== null && mapped !== member.role && !isOwner(scope, member.role)) {
    work.require(rolesUnchanged(member))
    addRoleChange(
      scope,
      work,
      { organization, member },
      { role: mapped, outOfReach: rolesOutOfReach(scope, { role: mapped }) },
    )
  }
  if (groups === null || teams.length === 0 || !organizationOptions.of(scope).teams.enabled) return
  for (const team of teams) {
    const belongs = mapping.teams.some(({ group, teamId }) => teamId === team.id && groups.includes(group))
    if (belongs) work.run(addToTeam(scope.db, team, user.id, { id: newId(), now: scope.now() }))
    else work.run(removeFromTeam(scope.db, team, user.id))
  }
  work.run(settleTeams(scope.db, organization.id))
}
