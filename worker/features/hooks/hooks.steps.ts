import * as z from 'zod'
import type { IssuedSession, ReactionsOf, SignInAttempt, StepsOf, UserChange } from '../../identity/lifecycle.ts'
import type { InvitationFacts, MemberFacts, MembershipChange, OrganizationFacts } from '../../identity/model/events.ts'
import { type RiskDecision, type RiskSignal, riskLevels, shownReasons } from '../../identity/model/risk.ts'
import type { Session } from '../../identity/model/sessions.table.ts'
import type { NewUser, User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { checkAdditionalFields } from '../../identity/users/additional-fields.ts'
import { publicSession } from '../../identity/users/announce.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { userOptions } from '../../identity/users/users.config.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { Fault } from '../../kit/errors.ts'
import { askHook, call, hookRequestOf, notifyHook } from './call-hook.ts'
import { type HookContext, hookOptions, type UserToBe } from './hooks.config.ts'

/** The product's hooks. They receive plain facts without secrets. */

/** The job that calls `userCreated` is written in the batch of the user. */
async function askCreatingUser(scope: Scope, { values, writes }: UserChange<NewUser>): Promise<NewUser> {
  const change = await askHook(scope, 'creatingUser', () => ({ user: presentUser(scope, values as User) as UserToBe }))
  const amendedValues = amended(scope, 'creatingUser', values, change)
  if (hookOptions.of(scope).userCreated) {
    const created: CreatedUser = { userId: values.id, request: hookRequestOf(scope) }
    writes.push((work) => work.defer(createdKind, created))
  }
  return amendedValues
}

const createdKind = 'hooks:user-created'

/** The new user and the facts about the request. */
export interface CreatedUser {
  userId: string
  request: HookContext['request']
}

/** Calls `userCreated` with the user as the row is by then, and again after a failure; not for a deleted user. */
async function callUserCreated(scope: Scope, { userId, request }: CreatedUser): Promise<void> {
  const user = await findUserById(scope.db, userId)
  if (user) await call(scope, 'userCreated', { user: presentUser(scope, user) }, request)
}

export const hookJobs = { [createdKind]: { run: callUserCreated } }

async function askUpdatingUser(
  scope: Scope,
  user: User,
  { values }: UserChange<Partial<NewUser>>,
): Promise<Partial<NewUser>> {
  const { additionalFields, ...columns } = values
  const changes = { ...columns, ...additionalFields }
  if (Object.keys(changes).length === 0) return values
  const change = await askHook(scope, 'updatingUser', () => ({ user: presentUser(scope, user), changes }))
  return amended(scope, 'updatingUser', values, change)
}

/** Applies the changes of a hook to values. @throws Fault for a value that the hook may not change */
function amended<T extends Partial<NewUser>>(
  scope: Scope,
  hook: string,
  values: T,
  change: Record<string, unknown>,
): T {
  const { name, image, ...fields } = change
  try {
    if (name !== undefined && typeof name !== 'string') throw new Error('name must be a text')
    if (image !== undefined && image !== null && typeof image !== 'string') throw new Error('image must be a text')
    const checked = checkAdditionalFields(userOptions.of(scope).additionalFields, fields)
    return {
      ...values,
      ...(name === undefined ? {} : { name }),
      ...(image === undefined ? {} : { image }),
      ...(Object.keys(checked).length === 0 ? {} : { additionalFields: { ...values.additionalFields, ...checked } }),
    }
  } catch (thrown) {
    throw new Fault(`the hook ${hook}`, thrown)
  }
}

async function askDeletingUser(scope: Scope, user: User): Promise<void> {
  await askHook(scope, 'deletingUser', () => ({ user: presentUser(scope, user) }))
}

/** The rotation of a token is not a sign-in. */
async function askSigningIn(scope: Scope, { user, method, proven }: SignInAttempt): Promise<null> {
  if (method === 'rotation') return null
  await askHook(scope, 'signingIn', () => ({ user: presentUser(scope, user), method, proven }))
  return null
}

async function askAssessing(
  scope: Scope,
  { user, method }: SignInAttempt,
  risk: RiskDecision,
): Promise<RiskSignal | null> {
  const { asn, region } = scope.request.network
  const raised = await askHook(scope, 'assessing', () => ({
    user: presentUser(scope, user),
    method,
    level: risk.level,
    reasons: shownReasons(risk),
    network: { asn, region },
  }))
  if (Object.keys(raised).length === 0) return null
  const read = riskSignal.safeParse(raised)
  if (!read.success) throw new Fault('the hook assessing', read.error)
  return read.data
}

const riskSignal = z.object({
  level: z.enum(riskLevels).exclude(['nothing']),
  reason: z.string().regex(/^[a-z0-9-]{1,40}$/),
})

const aboutUser =
  (name: 'userUpdated' | 'userDeleted' | 'passwordReset') =>
  (scope: Scope, user: User): void =>
    notifyHook(scope, name, () => ({ user: presentUser(scope, user) }))

const callSessionIssued = (scope: Scope, { session, user, method }: IssuedSession): void =>
  notifyHook(scope, 'sessionIssued', () => ({
    session: publicSession(session),
    user: presentUser(scope, user),
    method,
  }))

function callSignedOut(scope: Scope, ended: readonly Session[]): void {
  for (const session of ended) notifyHook(scope, 'signedOut', () => ({ session: publicSession(session) }))
}

const aboutOrganization =
  (name: 'organizationCreated' | 'organizationUpdated' | 'organizationDeleted') =>
  (scope: Scope, organization: OrganizationFacts): void =>
    notifyHook(scope, name, () => ({ organization: plainOrganization(organization) }))

const aboutMember =
  (name: 'memberAdded' | 'memberRemoved' | 'roleChanged') =>
  (scope: Scope, membership: MembershipChange): void =>
    notifyHook(scope, name, () => plainMembership(membership))

/** Events that call a hook after the commit. `userCreated` is called by a job. */
const reactions: ReactionsOf<Scope> = {
  'user.updated': aboutUser('userUpdated'),
  'user.deleted': aboutUser('userDeleted'),
  'password.reset': aboutUser('passwordReset'),
  'organization.created': aboutOrganization('organizationCreated'),
  'organization.updated': aboutOrganization('organizationUpdated'),
  'organization.deleted': aboutOrganization('organizationDeleted'),
  'member.added': aboutMember('memberAdded'),
  'member.removed': aboutMember('memberRemoved'),
  'member.role-changed': aboutMember('roleChanged'),
  'invitation.created': (scope, invitation) =>
    notifyHook(scope, 'invitationCreated', () => ({ invitation: plainInvitation(invitation) })),
  'invitation.accepted': (scope, accepted) =>
    notifyHook(scope, 'invitationAccepted', () => ({
      ...plainMembership(accepted),
      invitation: plainInvitation(accepted.invitation),
    })),
  'approval.requested': (scope, approval) => notifyHook(scope, 'approvalRequested', () => ({ approval })),
}

export const hookSteps = {
  creatingUser: askCreatingUser,
  updatingUser: askUpdatingUser,
  deletingUser: askDeletingUser,
  signingIn: askSigningIn,
  assessing: askAssessing,
  sessionIssued: callSessionIssued,
  signedOut: callSignedOut,
  reactions,
} satisfies StepsOf<Scope>

// Rows have more columns than these types say.
const plainOrganization = ({ id, name, slug, logo, metadata, createdAt }: OrganizationFacts): OrganizationFacts => ({
  ...{ id, name, slug, logo, metadata, createdAt },
})
const plainMember = ({ id, organizationId, userId, role, createdAt }: MemberFacts): MemberFacts => ({
  ...{ id, organizationId, userId, role, createdAt },
})
const plainInvitation = ({ organizationId, email, role, inviterId, expiresAt }: InvitationFacts): InvitationFacts => ({
  ...{ organizationId, email, role, inviterId, expiresAt },
})
const plainMembership = ({ organization, member }: MembershipChange) => ({
  organization: plainOrganization(organization),
  member: plainMember(member),
})
