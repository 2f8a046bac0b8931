import { answerError } from '../../http/answer-error.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { idempotencyErrors as errors } from '../../http/server.errors.ts'
import type { Scope } from '../../identity/scope.ts'
import { firstBatchOf } from '../../identity/unit-of-work.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { AppError } from '../../kit/errors.ts'
import { deriveKey, hmac, sha256 } from '../../kit/hash.ts'
import { after, days, seconds } from '../../kit/time.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import { reasonOf } from '../../platform/log.ts'
import * as store from './server-keys.store.ts'
import type { ServerRequest } from './server-keys.table.ts'

/** How long an answer is kept. */
const lifetime = days(1)

/** After it, a run without an answer counts as lost. No request runs longer. */
const lock = seconds(60)

/** Rows of one key. */
export const perKey: CounterRule = { max: 20_000, window: lifetime }

/** One header value: visible ASCII, as in RFC 9110, section 5.5. */
const keyForm = /^[\x21-\x7e]{1,255}$/

/**
 * Runs a write once for each Idempotency-Key of a server key: a repetition with the same input gets the stored answer
 * for a day. A refusal is an answer; a fault without an effect is not, so that a retry runs again. The batch of the first
 * effect marks the key. If the answer was lost after it, a retry is refused.
 */
export async function answerOnce(
  scope: Scope,
  operation: string,
  input: unknown,
  run: () => Promise<Response>,
): Promise<Response> {
  const given = scope.request.headers.get('idempotency-key')
  if (given === null) return run()
  if (!keyForm.test(given)) throw errors.INVALID_IDEMPOTENCY_KEY()
  const keyId = scope.auditing.serverKey!.id
  await requireRoom(scope, keyId)
  const now = scope.now()
  const [inputHash = '', ...earlier] = hashesOf(scope, operation, input)
  const request: ServerRequest = {
    id: sha256(`${keyId} ${given}`),
    keyId,
    inputHash,
    lockedUntil: after(now, lock),
    hasEffect: false,
    status: null,
    answer: null,
    expiresAt: after(now, lifetime),
  }
  const { isClaimed, stored } = await store.claimRequest(scope.db, request, now)
  if (!isClaimed && stored) return replay(scope, stored, [inputHash, ...earlier], now)
  return runAndStore(scope, request, run)
}

/** Hashes with each secret, newest first: an input may contain a password. */
const hashesOf = ({ settings }: Scope, operation: string, input: unknown): string[] =>
  settings.secrets.map((secret) => hmac(deriveKey(secret, 'idempotency'), `${operation} ${JSON.stringify(input)}`))

async function requireRoom(scope: Scope, keyId: string): Promise<void> {
  const { allowed, retryAfter } = await scope.counters.hit(`idempotency:${keyId}`, perKey)
  if (!allowed) throw httpErrors.TOO_MANY_REQUESTS({ headers: { 'retry-after': String(retryAfter) } })
}

async function replay(scope: Scope, stored: ServerRequest, hashes: string[], now: Date): Promise<Response> {
  if (!hashes.includes(stored.inputHash)) throw errors.IDEMPOTENCY_KEY_REUSED()
  if (stored.status === null || stored.answer === null) {
    if (stored.hasEffect && stored.lockedUntil <= now) throw errors.IDEMPOTENT_ANSWER_LOST()
    const pause = Math.max(1, Math.ceil((stored.lockedUntil.getTime() - now.getTime()) / 1000))
    throw errors.IDEMPOTENT_REQUEST_IN_PROGRESS({ headers: { 'retry-after': String(pause) } })
  }
  return new Response(await open(scope.settings.secrets, stored.answer), {
    status: stored.status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'idempotency-replayed': 'true' },
  })
}

/** A refusal changes nothing and can be repeated, but the limit of requests passes with time. */
const isStored = (thrown: unknown): thrown is AppError =>
  thrown instanceof AppError && thrown.status < 500 && thrown.status !== 429

async function runAndStore(scope: Scope, request: ServerRequest, run: () => Promise<Response>): Promise<Response> {
  let response: Response
  firstBatchOf(scope).pending = {
    // Another run has taken the request over.
    condition: store.isRunning(request),
    error: () => errors.IDEMPOTENT_REQUEST_IN_PROGRESS({ headers: { 'retry-after': '1' } }),
    statement: store.markEffect(scope.db, request),
  }
  try {
    response = await run()
  } catch (thrown) {
    if (!isStored(thrown)) {
      await bestEffort(scope, () => store.releaseRequest(scope.db, request).run())
      throw thrown
    }
    response = answerError(thrown, scope.log)
  } finally {
    firstBatchOf(scope).pending = null
  }
  const text = await response.clone().text()
  await bestEffort(scope, async () => {
    const answer = await seal(scope.settings.secrets, text)
    await store.storeAnswer(scope.db, request, response.status, answer).run()
  })
  return response
}

/** The effect of the request is committed, so that a fault here must not become its answer. */
async function bestEffort(scope: Scope, work: () => Promise<unknown>): Promise<void> {
  await work().catch((thrown) => scope.log('error', 'idempotency-unreachable', { reason: reasonOf(thrown) }))
}
