import * as z from 'zod'
import type { Scope } from '../../identity/scope.ts'
import { readBearerToken } from '../../identity/sessions/bearer-token.ts'
import { readSessionToken } from '../../identity/sessions/session-cookies.ts'
import { sha256 } from '../../kit/hash.ts'
import { defineOptions, flag, objectOf, positive, section } from '../../kit/options.ts'
import { seconds } from '../../kit/time.ts'
import { bounded, timeouts } from '../../platform/bounded.ts'
import { addressBucket } from '../../platform/client-address.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import { reasonOf } from '../../platform/log.ts'
import { countInDatabase, countInIsolate } from '../../platform/rate-limit.ts'
import { type Endpoint, serverPermissionOf } from '../endpoint.ts'
import { httpErrors } from '../http.errors.ts'
import { pathPattern } from './disabled-paths.ts'

export const rateLimitOptions = defineOptions('rateLimit', () =>
  section({
    /** Whether requests are limited per address. Budgets per account remain. */
    enabled: flag(true),
    /**
     * Seconds, and the maximum number of requests in them, per address and path. Endpoints may have a rule of their
     * own.
     */
    window: positive.default(seconds(10)),
    max: positive.default(100),
    /**
     * The storage of the general rule. `memory`: in the isolate, and in KV once a key exceeds its limit; `database`: in
     * D1; `durable-object`: exact. Rules of endpoints are always exact.
     */
    storage: z.enum(['memory', 'database', 'durable-object']).default('memory'),
    /**
     * Rules by path below the base path (`*` at the end: any suffix), or false for no limit. They override all others.
     */
    customRules: z
      .record(pathPattern, z.union([z.literal(false), objectOf({ window: positive, max: positive })]))
      .default({}),
  }),
)

/** Timeout (ms) of a limit. */
const limit = timeouts.optional

function customRule(rules: Record<string, CounterRule | false>, path: string): CounterRule | false | undefined {
  if (Object.hasOwn(rules, path)) return rules[path]
  const pattern = Object.keys(rules).find((key) => key.endsWith('*') && path.startsWith(key.slice(0, -1)))
  return pattern === undefined ? undefined : rules[pattern]
}

const isLimitedElsewhere = (endpoint: Endpoint): boolean =>
  endpoint.access === 'webhook' || endpoint.access === 'directory' || serverPermissionOf(endpoint) !== null

/** Counts this request against its address or session and its path. @throws TOO_MANY_REQUESTS with X-Retry-After */
export async function limitRate(scope: Scope, endpoint: Endpoint | null): Promise<void> {
  const options = rateLimitOptions.of(scope)
  if (!options.enabled) return
  const custom = customRule(options.customRules, scope.request.path)
  // Webhooks are not limited: senders send bursts, and a request without a valid signature costs one hash. Server keys
  // and the tokens of directories have limits of their own, which are not by address.
  if (custom === false || (!custom && endpoint && isLimitedElsewhere(endpoint))) return
  const rule = custom ?? endpoint?.limits?.rate ?? { window: options.window, max: options.max }
  // A path with a parameter counts as one path, so that varying the parameter does not help an attacker.
  const token = endpoint?.limits?.by === 'session' ? (readSessionToken(scope) ?? readBearerToken(scope)) : null
  const who = token ? `session:${sha256(token)}` : addressBucket(scope.request.ip)
  const key = `${who}|${endpoint?.path ?? 'unknown'}`
  const count = () => {
    const {
      env,
      io: { uncounted },
    } = scope
    const now = scope.now().getTime()
    if (endpoint?.limits?.rate) return bounded('rate limit', limit, () => scope.counters.hit(`rate:${key}`, rule))
    // The configuration chooses the storage of the general rule, so it is not part of an endpoint's budget.
    if (options.storage === 'durable-object') return uncounted.counters.hit(`rate:${key}`, rule)
    if (options.storage === 'database') {
      return bounded('rate limit', limit, () => countInDatabase(env.DB, key, rule, now))
    }
    return countInIsolate(uncounted.kv, key, rule, now, (work) => scope.after(work, 'nothing'))
  }
  let answer: Awaited<ReturnType<typeof count>>
  try {
    answer = await count()
  } catch (thrown) {
    // Requests pass if their limit cannot be counted. Budgets per account and codes reject in that case.
    scope.log('error', 'rate-limit-unreachable', { reason: reasonOf(thrown) })
    return
  }
  if (!answer.allowed) {
    throw httpErrors.TOO_MANY_REQUESTS({ headers: { 'x-retry-after': String(answer.retryAfter) } })
  }
}

/** Counts exactly, for credentials of servers. A request passes if it cannot be counted. @throws TOO_MANY_REQUESTS */
export async function limitExactly(scope: Scope, name: string, rule: CounterRule): Promise<void> {
  if (!rateLimitOptions.of(scope).enabled) return
  let answer: { allowed: boolean; retryAfter: number }
  try {
    answer = await scope.counters.hit(name, rule)
  } catch (thrown) {
    scope.log('error', 'rate-limit-unreachable', { reason: reasonOf(thrown), timeout: timeouts.required })
    return
  }
  if (answer.allowed) return
  const pause = String(answer.retryAfter)
  throw httpErrors.TOO_MANY_REQUESTS({ headers: { 'retry-after': pause, 'x-retry-after': pause } })
}
