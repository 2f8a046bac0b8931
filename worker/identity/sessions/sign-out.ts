import { and, inArray } from 'drizzle-orm'
import { bounded, timeouts } from '../../platform/bounded.ts'
import { reasonOf } from '../../platform/log.ts'
import { sessions } from '../model/sessions.table.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { clearKeyCookies, provedKeys } from './device-key.ts'
import { believedFor, fedSessions, keptFor } from './ended-sessions.ts'
import { clearSessionCookies } from './session-cookies.ts'
import { sessionOptions } from './sessions.config.ts'
import { maySignOut } from './sessions.store.ts'
import { endSessions, forgetSession } from './sessions.ts'

/**
 * Signs out of this browser: ends its session and those that features store in the same browser, in one batch. A token that
 * needs a proof ends nothing without it.
 * @param id of the session, only of an endpoint that needs no session: if the batch fails, the feed refuses the session, and
 *   the repetition must still end it
 */
export async function signOutOf(scope: Scope, token: string, id: string | null = null): Promise<void> {
  const tokens = [...new Set([token, ...scope.lifecycle.signingOut.flatMap((step) => step(scope))])]
  if (id !== null) await feedFirst(scope, id)
  const work = unitOfWork(scope)
  const ended = endSessions(scope, work, and(inArray(sessions.token, tokens), maySignOut(provedKeys(scope, token)))!)
  await work.commit()
  for (const each of tokens) forgetSession(scope, each)
  clearSessionCookies(scope)
  for (const { deviceKey } of ended.rows) if (deviceKey) clearKeyCookies(scope, deviceKey.id)
  // Without "cookies", which would delete cookies of the browser such as its known-device mark (ASVS 5.0, 14.3.1).
  if (sessionOptions.of(scope).clearSiteData) scope.response.headers.set('clear-site-data', '"cache", "storage"')
  for (const react of scope.lifecycle.signedOut) await react(scope, ended.rows)
}

/**
 * Adds the session to the feed before the batch that ends it, so that the batch needs no job (decision 341). If the feed does
 * not answer, the job does it. With a queue, which adds many sessions in one call, the job always does it.
 */
async function feedFirst(scope: Scope, id: string): Promise<void> {
  const keep = keptFor(scope)
  if (keep === 0 || scope.env.JOBS) return
  scope.io.declare({ durable: 1 })
  scope.io.used.durable += 1
  try {
    await bounded('the feed of ended sessions', timeouts.optional, () =>
      scope.env.ENDED_SESSIONS.getByName('all').add([id], keep),
    )
  } catch (thrown) {
    return scope.log('error', 'ended-sessions-unreachable', { reason: reasonOf(thrown) })
  }
  fedSessions(scope).push(id)
  scope.shared.ended.take([id], believedFor(scope))
}
