import { createRemoteJWKSet, customFetch, type JWKSCacheInput, type JWTVerifyGetKey, jwksCache } from 'jose'
import { readCached } from '../../../identity/read-cached.ts'
import type { Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { minutes, ms, seconds } from '../../../kit/time.ts'

import { readJson } from './fetch-json.ts'

/** A key set is requested again after `lifetime`, or when it lacks a token's key, once per `coolDown`. */
const lifetime = minutes(10)
const coolDown = seconds(30)
const timeout = seconds(5)

/** The key set at a URL (RFC 7517), cached in KV. */
export async function keySetAt(scope: Scope, url: string): Promise<JWTVerifyGetKey> {
  const key = `key-set:${sha256(url)}`
  const cached: JWKSCacheInput = (await readCached<JWKSCacheInput>(scope, key)) ?? {}
  const age = cached.uat
  const find = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: ms(lifetime),
    cooldownDuration: ms(coolDown),
    timeoutDuration: ms(timeout),
    [jwksCache]: cached,
    [customFetch]: async (address, { headers }) =>
      Response.json(await readJson(await scope.outside(address, { headers, timeout }))),
  })
  return async (header, token) => {
    try {
      return await find(header, token)
    } finally {
      if (cached.uat !== age) scope.after(() => scope.uncounted.kv.put(key, cached, lifetime))
    }
  }
}
