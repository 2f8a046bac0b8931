import { isCommonPassword } from '../../identity/accounts/common-passwords.ts'
import type { SignInAttempt } from '../../identity/lifecycle.ts'
import { riskDetails } from '../../identity/model/risk.ts'
import type { Scope } from '../../identity/scope.ts'
import { hasFewerEvents, noteSecurityEvent } from '../../identity/security/security-events.ts'
import { knownDevice, nameByAddress } from '../../identity/sessions/known-device.ts'
import { hasSignedUpHere } from '../../identity/sign-in/sign-up-mark.ts'
import { isGuest } from '../../identity/users/guests.ts'
import { updateUserStatement } from '../../identity/users/users.store.ts'
import { after, hours, ms } from '../../kit/time.ts'
import { addressNetwork } from '../../platform/client-address.ts'
import { assess, type Signals } from './assess.ts'
import { attacked } from './attacks.ts'
import { isFalseUserAgent } from './false-user-agent.ts'
import { addNetwork, type Network, noveltyOf, type RecentNetworks, readNetworks, speedSince } from './networks.ts'
import { riskOptions } from './risk.config.ts'
import { riskErrors } from './risk.errors.ts'
import { isLevelRaised } from './threats/known-defences.ts'

/** Events of an hour, as for challenges. */
const maxRefusals = 20

/**
 * Assesses a sign-in with a password, before the second factor, and stores the network of every sign-in. It costs no
 * read: the device is in a cookie, the networks in the user's row. Mailed links and codes prove the mailbox, which a
 * challenge would ask for, and passkeys and providers have no password that an attacker could have from another site
 * (decision 390).
 * @throws SIGN_IN_REFUSED
 */
export async function assessSignIn(scope: Scope, attempt: SignInAttempt): Promise<null> {
  const { user, proven } = attempt
  if (proven === 'session' || proven === 'delegated' || isGuest(user)) return null
  const before = readNetworks(user.recentNetworks)
  const network = networkOf(scope)
  const recentNetworks = addNetwork(before, network, user.securityVersion, scope.now())
  attempt.writes.push((work) => void work.run(updateUserStatement(scope.db, user.id, { recentNetworks })))
  if (proven !== 'password') return null
  const { level, ...points } = riskOptions.of(scope)
  const thresholds = { ...points, level: level === 'off' ? 'nothing' : level } as const
  const signals = await signalsOf(scope, attempt, before, network)
  const own = assess(signals, thresholds)
  const product = await Promise.all(scope.lifecycle.assessing.map((step) => step(scope, attempt, own)))
  const decision = assess({ ...signals, product: product.filter((signal) => signal !== null) }, thresholds)
  if (decision.level === 'refuse') {
    const event = { type: 'sign-in-failed', outcome: 'failure', user, method: 'password' } as const
    const when = hasFewerEvents(maxRefusals, event, after(scope.now(), -hours(1)))
    noteSecurityEvent(scope, { ...event, details: riskDetails(decision)! }, when)
    throw riskErrors.SIGN_IN_REFUSED()
  }
  attempt.risk = decision
  return null
}

/** Without Cloudflare's facts, as in development, the network is a prefix of the address. */
function networkOf({ request: { ip, place, network } }: Scope): Network {
  const { asn, region, position } = network
  const name = asn === null ? addressNetwork(ip) : `AS${asn}`
  return { name, country: place.country, region, position }
}

async function signalsOf(
  scope: Scope,
  { user, password = '', challengesUnknownDevice = false }: SignInAttempt,
  before: RecentNetworks | null,
  network: Network,
): Promise<Signals> {
  const now = scope.now()
  const attack = attacked(scope, password)
  return {
    device: deviceOf(scope, user),
    place: noveltyOf(before, network),
    travelSpeed: speedSince(before, network.position, now),
    daysUnused: before && (now.getTime() - before.at) / ms(86_400),
    afterReset: before !== null && before.version !== user.securityVersion,
    commonPassword: await isCommonPassword(password),
    falseUserAgent: isFalseUserAgent(scope.request.headers, scope.settings.baseUrl.startsWith('https:')),
    attackedNetwork: attack.network,
    sprayedPassword: attack.password,
    raisedLevel: isLevelRaised(scope),
    organizationRule: challengesUnknownDevice,
    product: [],
  }
}

function deviceOf(scope: Scope, user: SignInAttempt['user']): Signals['device'] {
  const known = knownDevice(scope, nameByAddress(user.email))
  if (known?.isKnownFor(user) || hasSignedUpHere(scope, user)) return 'known'
  return known && (known.proven || !user.emailVerified) ? 'renewed' : 'new'
}
