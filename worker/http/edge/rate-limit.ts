import * as z from 'zod'
import type { Scope } from '../../identity/scope.ts'
import { readBearerToken } from '../../identity/sessions/bearer-token.ts'
import { readSessionToken } from '../../identity/sessions/session-cookies.ts'
import { sha256 } from '../../kit/hash.ts'
import { positive } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import { seconds } from '../../kit/time.ts'
import { bounded, patience } from '../../platform/bounded.ts'
import { addressBucket } from '../../platform/client-address.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import { reasonOf } from '../../platform/log.ts'
import { countInDatabase, countInIsolate } from '../../platform/rate-limit.ts'
import type { Endpoint } from '../endpoint.ts'
import { httpErrors } from '../http.errors.ts'
import { pathPattern } from './disabled-paths.ts'

export const rateLimitOptions = defineOptions(
  'rateLimit',
  {
    enabled: true,
    /** Seconds, and requests in them, per address and path; endpoints with a rule of their own have that. */
    window: seconds(10),
    max: 100,
    /**
     * Where the general rule counts. `memory`: in the isolate, and in KV once a key is over its limit;
     * `database`: in D1; `durable-object`: strictly. Rules of endpoints are always strict.
     */
    storage: 'memory' as 'memory' | 'database' | 'durable-object',
    /** By path below the base path, `*` for any rest: another rule, or false for none. They come before all others. */
    customRules: {} as Record<string, CounterRule | false>,
  },
  undefined,
  {
    storage: z.enum(['memory', 'database', 'durable-object']),
    customRules: z.record(
      pathPattern,
      z.union([z.literal(false), z.strictObject({ window: positive, max: positive })]),
    ),
  },
)

/** How long (ms) a request waits for its limit. */
const limit = patience.convenience

function customRule(rules: Record<string, CounterRule | false>, path: string): CounterRule | false | undefined {
  if (Object.hasOwn(rules, path)) return rules[path]
  const pattern = Object.keys(rules).find((key) => key.endsWith('*') && path.startsWith(key.slice(0, -1)))
  return pattern === undefined ? undefined : rules[pattern]
}

/**
 * Counts this request against its address, or its session (`limitedBy`), and its path.
 * @throws TOO_MANY_REQUESTS with X-Retry-After in seconds
 */
export async function limitRate(scope: Scope, endpoint: Endpoint | null): Promise<void> {
  const options = rateLimitOptions.of(scope)
  if (!options.enabled) return
  const custom = customRule(options.customRules, scope.request.path)
  // Whoever signs what they send is counted nowhere: they send in bursts, and anybody else is refused for a hash.
  if (custom === false || (endpoint?.access === 'webhook' && !custom)) return
  const rule = custom ?? endpoint?.limit ?? { window: options.window, max: options.max }
  // A path with a parameter is one path: whoever varies the parameter gains nothing.
  const token = endpoint?.limitedBy === 'session' ? (readSessionToken(scope) ?? readBearerToken(scope)) : null
  const who = token ? `session:${sha256(token)}` : addressBucket(scope.request.ip)
  const key = `${who}|${endpoint?.path ?? 'unknown'}`
  const count = () => {
    const { env, uncounted } = scope
    const now = scope.now().getTime()
    if (endpoint?.limit) return bounded('rate limit', limit, () => scope.counters.hit(`rate:${key}`, rule))
    // Where the general rule counts is the configuration's choice, and no part of an endpoint's budget.
    if (options.storage === 'durable-object') return uncounted.counters.hit(`rate:${key}`, rule)
    if (options.storage === 'database') {
      return bounded('rate limit', limit, () => countInDatabase(env.DB, key, rule, now))
    }
    return countInIsolate(uncounted.kv, key, rule, now, (work) => scope.after(work))
  }
  let answer: Awaited<ReturnType<typeof count>>
  try {
    answer = await count()
  } catch (thrown) {
    // A limit per address that cannot be counted lets pass; budgets per account and codes refuse.
    scope.log('error', 'rate-limit-unreachable', { reason: reasonOf(thrown) })
    return
  }
  if (!answer.allowed) {
    throw httpErrors.TOO_MANY_REQUESTS({ headers: { 'x-retry-after': String(answer.retryAfter) } })
  }
}
