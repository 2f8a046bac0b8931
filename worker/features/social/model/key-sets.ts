import { createRemoteJWKSet, customFetch, errors, type JWKSCacheInput, type JWTVerifyGetKey, jwksCache } from 'jose'
import { readCached, writeCached } from '../../../identity/document-cache.ts'
import type { Scope } from '../../../identity/scope.ts'
import { Fault } from '../../../kit/errors.ts'
import { sha256 } from '../../../kit/hash.ts'
import { minutes, ms, seconds } from '../../../kit/time.ts'
import { addressBucket } from '../../../platform/client-address.ts'
import { readJson } from './fetch-json.ts'

/** A key set is requested again after `lifetime`, or when it lacks a token's key, once per `coolDown`. */
const lifetime = minutes(10)
const coolDown = seconds(30)
const timeout = seconds(5)

/**
 * Who sent the token. A provider's token endpoint returns one for a code of its own. A caller without an account can send any
 * number of tokens that name keys which do not exist.
 */
export type TokenSender = 'provider' | 'caller'

/**
 * The requests of a key set that tokens of callers cause in any minute: of one key set because it lacks their keys, and
 * for one address in total. `rateLimit` does not switch these budgets off: they protect other servers.
 */
export const keySetBudgets = { unknownKey: 4, address: 20 } as const

/** The key set at a URL (RFC 7517), cached. @throws Fault when the caller's address has used its budget */
export async function keySetAt(scope: Scope, url: string, sender: TokenSender): Promise<JWTVerifyGetKey> {
  const key = `key-set:${sha256(url)}`
  const cached: JWKSCacheInput = { ...(await readCached<JWKSCacheInput>(scope, key)) }
  const age = cached.uat
  const lacksKey = age !== undefined && age + ms(lifetime) > scope.now().getTime()
  const find = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: ms(lifetime),
    cooldownDuration: ms(coolDown),
    timeoutDuration: ms(timeout),
    [jwksCache]: cached,
    [customFetch]: async (address, { headers }) => {
      if (sender === 'caller') await spendFetch(scope, key, lacksKey)
      return Response.json(await readJson(await scope.outside(address, { headers, timeout })))
    },
  })
  return async (header, token) => {
    try {
      return await find(header, token)
    } finally {
      if (cached.uat !== age) writeCached(scope, key, cached, lifetime)
    }
  }
}

/** @throws JWKSNoMatchingKey where the cached key set is the answer, otherwise Fault */
async function spendFetch(scope: Scope, key: string, lacksKey: boolean): Promise<void> {
  const isAllowed = async (name: string, max: number): Promise<boolean> => {
    const rule = { max, window: minutes(1), rolling: true }
    return (await scope.io.uncounted.counters.hit(`key-set-fetch:${name}`, rule)).allowed
  }
  const { address, unknownKey } = keySetBudgets
  const mayFetch =
    (await isAllowed(`address:${addressBucket(scope.request.ip)}`, address)) &&
    (!lacksKey || (await isAllowed(`unknown-key:${key}`, unknownKey)))
  if (mayFetch) return
  if (lacksKey) throw new errors.JWKSNoMatchingKey()
  throw new Fault('provider', new Error('the address has requested too many key sets'))
}
