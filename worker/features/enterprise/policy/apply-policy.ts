import type { Challenge, SignInAttempt } from '../../../identity/lifecycle.ts'
import type { User } from '../../../identity/model/users.table.ts'
import { administersDeployment } from '../../../identity/registry.ts'
import type { Scope } from '../../../identity/scope.ts'
import { type AppErrorKind, HookRefusal } from '../../../kit/errors.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { hasFewerMembers } from '../../organization/model/membership.store.ts'
import { defaultRole, originFields } from '../../organization/model/membership.ts'
import type { Organization } from '../../organization/model/organizations.table.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import { providerOf } from '../model/connections.table.ts'
import { domainOfAddress } from '../model/domain-names.ts'
import { policyErrors as errors } from '../model/enterprise.errors.ts'
import type { SignInPolicy } from '../model/policies.table.ts'
import { manageMember } from './end-sessions.store.ts'
import { kindOf } from './method-kinds.ts'
import { addJoining, findRules, type SignInRules } from './policy.store.ts'

/**
 * `signingIn`: the rules of the organizations that rule the user, for every way in: the owner of the domain of the address, and
 * those that manage the membership, whatever the address is. A new token for a session, a transferred session and an
 * impersonation follow from a session that was checked.
 * @throws SINGLE_SIGN_ON_REQUIRED, SIGN_IN_METHOD_NOT_ALLOWED, ORGANIZATION_REQUIRES_SECOND_FACTOR
 */
export async function applyPolicy(scope: Scope, attempt: SignInAttempt): Promise<Challenge | null> {
  const { user, proven, writes } = attempt
  if (proven === 'session' || proven === 'delegated') return null
  // The identity provider of an organization does not replace the second factor that the user has chosen.
  if (kindOf(scope, attempt.shownMethod) === 'connection') attempt.requiresSecondFactor = true
  scope.io.declare({ d1: 1 })
  const domain = user.emailIsPlaceholder ? null : domainOfAddress(user.email)
  for (const rules of await findRules(scope.db, domain, user.id)) {
    if (rules.policy) {
      requireAllowed(scope, attempt, rules, rules.policy)
      requireSecondFactor(scope, attempt, rules, rules.policy)
      if (rules.policy.challengesUnknownDevices) attempt.challengesUnknownDevice = true
    }
    const { member } = rules
    if (member && !member.isManaged) writes.push((work) => void work.run(manageMember(scope, member.id)))
    const joins = rules.policy?.joinsAutomatically && member === null && user.emailVerified
    if (joins && rules.domain !== null) await join(scope, attempt, rules.organization, rules.domain)
  }
  return null
}

/** Redirects of links and providers show the code of a refusal, as for those of hooks. */
const refusal = ({ status, code, message }: AppErrorKind) => new HookRefusal(status, code, message)

const isOwnConnection = ({ shownMethod }: SignInAttempt, { activeConnections }: SignInRules): boolean =>
  activeConnections.some((id) => providerOf({ id }) === shownMethod)

function requireAllowed(
  scope: Scope,
  attempt: SignInAttempt,
  rules: SignInRules,
  { allowedMethods }: SignInPolicy,
): void {
  if (allowedMethods === null || rules.isBreakGlass || isOwnConnection(attempt, rules)) return
  const kind = kindOf(scope, attempt.shownMethod)
  if (allowedMethods.some((allowed) => allowed === kind)) return
  // No connection opens the account of an administrator of the deployment, who would have no way in.
  if (administersDeployment(scope, attempt.user)) return
  throw refusal(rules.activeConnections.length > 0 ? errors.SINGLE_SIGN_ON_REQUIRED : errors.SIGN_IN_METHOD_NOT_ALLOWED)
}

/** The identity provider of a connection decides about the second factor of its users. */
function requireSecondFactor(
  scope: Scope,
  attempt: SignInAttempt,
  rules: SignInRules,
  { secondFactorSince }: SignInPolicy,
): void {
  if (secondFactorSince === null || isOwnConnection(attempt, rules)) return
  const { user, proven } = attempt
  if (proven === 'second-factor' || proven === 'both-factors') return
  // A trusted device does not replace the second factor: the session would break the rule.
  attempt.requiresSecondFactor = 'each-time'
  if (user.twoFactorEnabled || attempt.passkeyIsSecondFactor || !graceIsOver(scope, user, secondFactorSince)) return
  throw refusal(errors.ORGANIZATION_REQUIRES_SECOND_FACTOR)
}

const graceIsOver = (scope: Scope, { createdAt }: User, since: Date): boolean => {
  const from = createdAt > since ? createdAt : since
  return after(from, enterpriseOptions.of(scope).secondFactorGracePeriod) <= scope.now()
}

async function join(scope: Scope, { user, writes }: SignInAttempt, organization: Organization, domain: string) {
  const hasRoom = await hasFewerMembers(scope, { user, organization })
  const { id: organizationId } = organization
  const member = {
    id: newId(),
    organizationId,
    userId: user.id,
    role: defaultRole,
    teamId: null,
    createdAt: scope.now(),
    ...originFields('domain', domain),
  }
  writes.push((work) => addJoining(scope, work, { organization, member, domain, hasRoom }))
}
