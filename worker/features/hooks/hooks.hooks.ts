import type { InvitationFacts, MemberFacts, OrganizationFacts } from '../../identity/events/events.ts'
import { publicSession } from '../../identity/events/record.ts'
import type { IssuedSession, Membership, SignInAttempt, UserChange } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'
import { userOptions } from '../../identity/settings.ts'
import { checkAdditionalFields } from '../../identity/users/additional-fields.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import type { NewUser, User } from '../../identity/users/users.table.ts'
import { Fault } from '../../kit/errors.ts'
import { ask, tell } from './call-hook.ts'
import type { UserToBe } from './hooks.config.ts'

/** The lifecycle's places as the product's own hooks see them: with plain facts, and without anything secret. */

export async function askCreatingUser(scope: Scope, { values }: UserChange<NewUser>): Promise<NewUser> {
  const change = await ask(scope, 'creatingUser', () => ({ user: presentUser(scope, values as User) as UserToBe }))
  return amended(scope, 'creatingUser', values, change)
}

export async function askUpdatingUser(
  scope: Scope,
  user: User,
  { values }: UserChange<Partial<NewUser>>,
): Promise<Partial<NewUser>> {
  const { additionalFields, ...columns } = values
  const changes = { ...columns, ...additionalFields }
  if (Object.keys(changes).length === 0) return values
  const change = await ask(scope, 'updatingUser', () => ({ user: presentUser(scope, user), changes }))
  return amended(scope, 'updatingUser', values, change)
}

/** Values with what a hook changes of them. @throws Fault for what a hook may not change */
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

export async function askDeletingUser(scope: Scope, user: User): Promise<undefined> {
  await ask(scope, 'deletingUser', () => ({ user: presentUser(scope, user) }))
}

/** A token that takes another's place is not a sign-in. */
export async function askSigningIn(scope: Scope, { user, method, proven }: SignInAttempt): Promise<null> {
  if (method === 'rotation') return null
  await ask(scope, 'signingIn', () => ({ user: presentUser(scope, user), method, proven }))
  return null
}

const aboutUser =
  (name: 'userCreated' | 'userUpdated' | 'userDeleted' | 'passwordReset') =>
  (scope: Scope, user: User): void =>
    tell(scope, name, () => ({ user: presentUser(scope, user) }))

export const tellUserCreated = aboutUser('userCreated')
export const tellUserUpdated = aboutUser('userUpdated')
export const tellUserDeleted = aboutUser('userDeleted')
export const tellPasswordReset = aboutUser('passwordReset')

export const tellSessionIssued = (scope: Scope, { session, user, method }: IssuedSession): void =>
  tell(scope, 'sessionIssued', () => ({ session: publicSession(session), user: presentUser(scope, user), method }))

export function tellSignedOut(scope: Scope, ended: readonly Session[]): void {
  for (const session of ended) tell(scope, 'signedOut', () => ({ session: publicSession(session) }))
}

const aboutOrganization =
  (name: 'organizationCreated' | 'organizationUpdated' | 'organizationDeleted') =>
  (scope: Scope, organization: OrganizationFacts): void =>
    tell(scope, name, () => ({ organization: plainOrganization(organization) }))

export const tellOrganizationCreated = aboutOrganization('organizationCreated')
export const tellOrganizationUpdated = aboutOrganization('organizationUpdated')
export const tellOrganizationDeleted = aboutOrganization('organizationDeleted')

const aboutMember =
  (name: 'memberAdded' | 'memberRemoved' | 'roleChanged') =>
  (scope: Scope, membership: Membership): void =>
    tell(scope, name, () => plainMembership(membership))

export const tellMemberAdded = aboutMember('memberAdded')
export const tellMemberRemoved = aboutMember('memberRemoved')
export const tellRoleChanged = aboutMember('roleChanged')

export const tellInvitationCreated = (scope: Scope, invitation: InvitationFacts): void =>
  tell(scope, 'invitationCreated', () => ({ invitation: plainInvitation(invitation) }))

export const tellInvitationAccepted = (scope: Scope, accepted: Membership & { invitation: InvitationFacts }): void =>
  tell(scope, 'invitationAccepted', () => ({
    ...plainMembership(accepted),
    invitation: plainInvitation(accepted.invitation),
  }))

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
const plainMembership = ({ organization, member }: Membership) => ({
  organization: plainOrganization(organization),
  member: plainMember(member),
})
