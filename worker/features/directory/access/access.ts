import { proveAddress } from '../../../identity/accounts/prove-address.ts'
import { addChange, addGivenUser } from '../../../identity/accounts/users.ts'
import type { SignInAttempt } from '../../../identity/lifecycle.ts'
import { administersDeployment, appointsAdministrator, contributed } from '../../../identity/registry.ts'
import type { Scope } from '../../../identity/scope.ts'
import { sessionsOf } from '../../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSessionsOf } from '../../../identity/sessions/sessions.ts'
import { Overtaken } from '../../../identity/unit-of-work.ts'
import { announceUser } from '../../../identity/users/announce.ts'
import { moveSecurityVersion } from '../../../identity/users/users.store.ts'
import type { Work } from '../../../identity/work.ts'
import { HookRefusal } from '../../../kit/errors.ts'
import { plainName } from '../../../kit/inputs.ts'
import { newId } from '../../../kit/random.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { domainOfAddress } from '../../enterprise/model/domain-names.ts'
import { markManaged, ownsDomain } from '../../enterprise/model/model.store.ts'
import { belongsToNoOther } from '../../enterprise/sign-in/provision.store.ts'
import { addNewMember, addRemoval } from '../../organization/members/members.store.ts'
import { hasAnotherOwner, hasFewerMembers, rolesUnchanged } from '../../organization/model/membership.store.ts'
import { isOwner, originFields } from '../../organization/model/membership.ts'
import { organizationOptions } from '../../organization/model/organization.config.ts'
import { directoryErrors } from '../model/directory.errors.ts'
import type { AccessState } from '../model/users.table.ts'
import { scimError } from '../protocol/scim.errors.ts'
import { type Data, entryAddressOf, entryNameOf } from '../protocol/values.ts'
import * as store from './access.store.ts'

/** An entry of the directory before it is written. */
export interface Entry {
  id: string
  userId: string | null
  active: boolean
  data: Data
}

type Account = Awaited<ReturnType<typeof store.findAccount>>

export interface Decision {
  state: AccessState
  email: string | null
  account: Account
}

/**
 * Decides whether an entry gives access: an active user with an address of a verified domain of the organization. An entry
 * never gives access to the account of an administrator of the deployment, or of a member of another organization only.
 */
export async function decideAccess(scope: Scope, connection: Connection, entry: Entry): Promise<Decision> {
  const given = entryAddressOf(entry.data)
  const domain = given === null ? null : domainOfAddress(given)
  const email = domain === null ? null : given
  const { id: entryId, userId } = entry
  const account = await store.findAccount(scope.db, connection, { entryId, userId, email })
  const decided = (state: AccessState): Decision => ({ state, email, account })
  if (!account.organization) throw new Overtaken()
  if (!entry.active) return decided('inactive')
  const { user, member } = account
  if (userId && user && member) return decided('granted')
  if (userId && user) {
    if (!account.isManaged) return decided('address-outside-domains')
  } else {
    if (email === null) return decided('no-address')
    if (!account.isOwnAddress) return decided('address-outside-domains')
  }
  if (user ? administersDeployment(scope, user) : appointsAdministrator(scope, email!)) {
    return decided('account-not-allowed')
  }
  if (user && !member && account.isElsewhere) return decided('account-of-another-organization')
  if (user && account.isInUse) return decided('account-in-use')
  return decided('granted')
}

const vouched = { emailVerified: true, addressVouchedBy: 'directory' } as const

/** Gives the access that was decided: creates or links the account, and makes it a member. @returns the account's id */
export async function grantAccess(
  scope: Scope,
  work: Work,
  connection: Connection,
  { email, account }: Decision,
  entry: Entry,
): Promise<string> {
  const { organizationId, id, mapping } = connection
  const { member } = account
  const organization = account.organization!
  const name = plainName(entryNameOf(entry.data)) || email!
  if (entry.userId === null) work.require(ownsDomain(organizationId, domainOfAddress(email!)!))
  let { user } = account
  if (!user) {
    user = await addGivenUser(scope, work, { name, email: email!, ...vouched, image: null }, null)
    work.run(store.insertUnentered(scope.db, { userId: user.id, connectionId: id, createdAt: scope.now() }))
  } else {
    if (!member) work.require(belongsToNoOther(organizationId, user.id))
    // The owner of the domain decides about the address, as an identity provider does at a sign-in.
    if (entry.userId === null) user = proveAddress(scope, work, user, { vouchedBy: 'directory' })
    if (account.isManaged && name !== user.name) user = await addChange(scope, work, user, { name })
  }
  if (!member) {
    work.require(await hasFewerMembers(scope, { user, organization }), () =>
      scimError('SCIM_LIMIT_REACHED', 'The organization has reached its maximum number of members'),
    )
    const role = mapping.defaultRole
    const granted = originFields('directory', id)
    const added = {
      id: newId(),
      organizationId,
      userId: user.id,
      role,
      teamId: null,
      createdAt: scope.now(),
      ...granted,
    }
    addNewMember(scope, work, { organization, member: added })
  }
  if (member && !member.isManaged) work.run(markManaged(scope.db, organizationId, user.id))
  work.run(store.deleteDeparture(scope.db, id, user.id))
  return user.id
}

/**
 * Ends the access of an account in the batch that deactivates or deletes its entry: the membership, and for an address of
 * the organization the sessions, API keys, tokens of applications and of providers, links and codes.
 */
export function endAccess(
  scope: Scope,
  work: Work,
  connection: Connection,
  { user, member, ...account }: Account,
): void {
  if (!user) return
  const { db } = scope
  if (member) {
    work.require(rolesUnchanged(member))
    if (isOwner(scope, member.role)) {
      const kept = () => scimError('SCIM_FORBIDDEN', 'The directory cannot remove this owner of the organization')
      work.require(hasAnotherOwner(member, organizationOptions.of(scope).creatorRole), kept)
      work.require(store.isNoBreakGlass(member.id), kept)
    }
    addRemoval(scope, work, account.organization!, member)
  }
  work.run(store.insertDeparture(db, connection.id, user.id, scope.now()))
  if (!account.isManaged || administersDeployment(scope, user)) return
  endSessions(scope, work, sessionsOf(user.id))
  work.run(moveSecurityVersion(db, user.id))
  announceUser(scope, work, 'user.updated', user.id)
  for (const name of ['applications', 'keys'] as const) {
    work.run(contributed(scope, 'revokes', name, 'all').flatMap((end) => end(scope, user.id)))
  }
  work.run(store.deleteProviderTokens(db, user.id), { afterCommit: () => forgetSessionsOf(scope, user.id) })
}

/**
 * `signingIn`: an account that a directory has deactivated does not sign in. The batch of the session decides. From the first
 * sign-in on, an account that a directory has created belongs to its user.
 */
export function refuseDeparted(scope: Scope, { user, proven, writes }: SignInAttempt): null {
  if (proven !== 'delegated') writes.push((work) => void work.run(store.deleteUnentered(scope.db, user.id)))
  const domain = user.emailIsPlaceholder ? null : domainOfAddress(user.email)
  if (domain === null || proven === 'delegated') return null
  const { status, code, message } = directoryErrors.ACCOUNT_DEACTIVATED_BY_DIRECTORY
  const refusal = () => new HookRefusal(status, code, message)
  writes.push((work) => work.require(store.hasNotDeparted(user.id, domain), refusal))
  return null
}
