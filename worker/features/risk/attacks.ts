import type { Scope } from '../../identity/scope.ts'
import { BoundedMap } from '../../kit/bounded-map.ts'
import { deriveKey, hmac } from '../../kit/hash.ts'
import { minutes, ms } from '../../kit/time.ts'
import { addressNetwork } from '../../platform/client-address.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import { riskOptions } from './risk.config.ts'

/**
 * Attacks on many accounts, measured over the deployment: refused passwords by network (stuffing), and by password over
 * all networks and accounts (spraying). An object counts each after the response, so that no sign-in waits for it; the
 * isolates that see the attack learn from its answer. Only failures count: an attacker's own sign-ins would lower a ratio.
 */
interface Attacked {
  network: boolean
  password: boolean
}

/** The end of each attack (Unix time in milliseconds) that this isolate has seen, for each configuration. */
const isolates = new WeakMap<object, BoundedMap<string, number>>()
const maxKnown = 5000
/** How long (s) an attack counts after its last window, so that a pause does not help. */
const lingering = minutes(15)

function knownAttacks({ options }: Scope): BoundedMap<string, number> {
  const known = isolates.get(options) ?? new BoundedMap<string, number>(maxKnown)
  isolates.set(options, known)
  return known
}

const networkKey = (scope: Scope): string | null => {
  const network = addressNetwork(scope.request.ip)
  return network && `network:${network}`
}

/** 18 bits of an HMAC: 262,144 objects at most, and no name says what the password is. */
const passwordKey = (scope: Scope, password: string): string =>
  `password:${hmac(deriveKey(scope.settings.secrets[0], 'sprayed-passwords'), password).slice(0, 3)}`

function isUnderAttack(scope: Scope, key: string | null): boolean {
  if (key === null) return false
  return (knownAttacks(scope).get(key) ?? 0) > scope.now().getTime()
}

/** What this isolate knows, without I/O. */
export const attacked = (scope: Scope, password: string): Attacked => ({
  network: isUnderAttack(scope, networkKey(scope)),
  password: isUnderAttack(scope, passwordKey(scope, password)),
})

/** Lifecycle place `passwordRefused`. */
export function countRefused(scope: Scope, password: string): void {
  const { networkFailures, passwordFailures } = riskOptions.of(scope)
  count(scope, networkKey(scope), networkFailures)
  count(scope, passwordKey(scope, password), passwordFailures)
}

function count(scope: Scope, key: string | null, rule: CounterRule): void {
  // A known attack is not counted again before its end: the attack does not decide how many calls it causes.
  if (key === null || isUnderAttack(scope, key)) return
  scope.after(async () => {
    const { allowed, retryAfter } = await scope.io.uncounted.counters.hit(`attack:${key}`, rule)
    if (allowed) return
    const until = scope.now().getTime() + ms(retryAfter + lingering)
    knownAttacks(scope).set(key, until)
    scope.after(async () => (await import('./threats/record-attack.ts')).recordAttack(scope, key, new Date(until)))
  }, 'nothing')
}
