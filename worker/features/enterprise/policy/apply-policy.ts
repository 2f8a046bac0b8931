import type { Challenge, SignInAttempt } from '../../../identity/lifecycle.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { type AppErrorKind, HookRefusal } from '../../../kit/errors.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { hasFewerMembers } from '../../organization/membership/membership.store.ts'
import { defaultRole, grantedBy } from '../../organization/membership/membership.ts'
import type { Organization } from '../../organization/membership/organizations.table.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import { providerOf } from '../model/connections.table.ts'
import { domainOfAddress } from '../model/domain-names.ts'
import { policyErrors as errors } from '../model/enterprise.errors.ts'
import type { SignInPolicy } from '../model/policies.table.ts'
import { kindOf } from './method-kinds.ts'
import { addJoining, type DomainRules, findDomainRules } from './policy.store.ts'

/**
 * `signingIn`: the rules of the organization that has verified the domain of the user's address, for every way in. A new
 * token for a session, a transferred session and an impersonation follow from a session that was checked.
 * @throws SINGLE_SIGN_ON_REQUIRED, SIGN_IN_METHOD_NOT_ALLOWED, ORGANIZATION_REQUIRES_SECOND_FACTOR
 */
export async function applyPolicy(scope: Scope, attempt: SignInAttempt): Promise<Challenge | null> {
  const { user, proven } = attempt
  if (proven === 'session' || proven === 'delegated') return null
  // The identity provider of an organization does not replace the second factor that the user has chosen.
  if (kindOf(attempt.shownMethod) === 'connection') attempt.requiresSecondFactor = true
  const domain = user.emailIsPlaceholder ? null : domainOfAddress(user.email)
  if (domain === null) return null
  scope.allowed.d1 += 1
  const rules = await findDomainRules(scope.db, domain, user.id)
  if (!rules?.policy) return null
  requireAllowed(attempt, rules, rules.policy)
  requireSecondFactor(scope, attempt, rules, rules.policy)
  if (rules.policy.joinsAutomatically && rules.memberId === null && user.emailVerified) {
    await join(scope, attempt, rules.organization, domain)
  }
  return null
}

/** Redirects of links and providers show the code of a refusal, as for those of hooks. */
const refusal = ({ status, code, message }: AppErrorKind) => new HookRefusal(status, code, message)

const isOwnConnection = ({ shownMethod }: SignInAttempt, { activeConnections }: DomainRules): boolean =>
  activeConnections.some((id) => providerOf({ id }) === shownMethod)

function requireAllowed(attempt: SignInAttempt, rules: DomainRules, { allowedMethods }: SignInPolicy): void {
  if (allowedMethods === null || rules.isBreakGlass || isOwnConnection(attempt, rules)) return
  const kind = kindOf(attempt.shownMethod)
  if (kind !== 'connection' && allowedMethods.includes(kind)) return
  throw refusal(rules.activeConnections.length > 0 ? errors.SINGLE_SIGN_ON_REQUIRED : errors.SIGN_IN_METHOD_NOT_ALLOWED)
}

/** The identity provider of a connection decides about the second factor of its users. */
function requireSecondFactor(
  scope: Scope,
  attempt: SignInAttempt,
  rules: DomainRules,
  { secondFactorSince }: SignInPolicy,
): void {
  if (secondFactorSince === null || isOwnConnection(attempt, rules)) return
  const { user, proven } = attempt
  if (proven === 'second-factor' || proven === 'both-factors') return
  attempt.requiresSecondFactor = true
  if (user.twoFactorEnabled || !graceIsOver(scope, user, secondFactorSince)) return
  throw refusal(errors.ORGANIZATION_REQUIRES_SECOND_FACTOR)
}

const graceIsOver = (scope: Scope, { createdAt }: User, since: Date): boolean => {
  const from = createdAt > since ? createdAt : since
  return after(from, enterpriseOptions.of(scope).secondFactorGracePeriod) <= scope.now()
}

async function join(scope: Scope, { user, work }: SignInAttempt, organization: Organization, domain: string) {
  const hasRoom = await hasFewerMembers(scope, { user, organization })
  const { id: organizationId } = organization
  const member = {
    id: newId(),
    organizationId,
    userId: user.id,
    role: defaultRole,
    teamId: null,
    createdAt: scope.now(),
    ...grantedBy('domain', domain),
  }
  addJoining(scope, work, { organization, member, domain, hasRoom })
}
