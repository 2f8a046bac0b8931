import { addressNetwork } from '../../platform/client-address.ts'
import type { CounterAnswer } from '../../platform/durable/counter-rule.ts'
import { reasonOf } from '../../platform/log.ts'
import type { Scope } from '../scope.ts'
import { userOptions } from '../users/users.config.ts'
import { tooManyGuesses } from '../verifications/guesses.ts'

/**
 * Counts a user whom a visitor is about to create against the visitor's network, since a sign-up farm has many addresses
 * there. A taken address counts, too, so that the limit does not reveal it. Without a known network, or if the counter is
 * unreachable, the sign-up passes: the limits per address remain.
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function limitSignUps(scope: Scope): Promise<void> {
  const rule = userOptions.of(scope).signUpsPerNetwork
  const network = addressNetwork(scope.request.ip)
  if (rule === null || network === null) return
  let answer: CounterAnswer
  try {
    answer = await scope.io.uncounted.counters.hit(`sign-ups:network:${network}`, rule)
  } catch (thrown) {
    scope.log('error', 'rate-limit-unreachable', { reason: reasonOf(thrown) })
    return
  }
  if (!answer.allowed) throw tooManyGuesses(answer.retryAfter)
}
