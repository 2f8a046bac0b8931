import { removeUser } from '../../identity/accounts/users.ts'
import type { User } from '../../identity/model/users.table.ts'
import { contributed } from '../../identity/registry.ts'
import type { Scope } from '../../identity/scope.ts'
import { sessionOptions } from '../../identity/sessions/sessions.config.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { after } from '../../kit/time.ts'
import { reasonOf } from '../../platform/log.ts'
import type { Condition } from '../../platform/statements.ts'
import { anonymousOptions } from './anonymous.config.ts'
import * as store from './anonymous.store.ts'

/** Guests per run of the cron trigger. A deletion costs about eight statements. */
const batchSize = 50

/**
 * For the cron trigger: deletes a batch of guests without a way in who were not seen for `guestLifetime`. A guest whom
 * a feature keeps, or whose deletion a hook refuses, is due again after the same time.
 */
export async function deleteUnseenGuests(scope: Scope): Promise<void> {
  const { guestLifetime } = anonymousOptions.of(scope)
  if (guestLifetime === null) return
  const { updateAge, disableSessionRefresh } = sessionOptions.of(scope)
  const now = scope.now()
  // A session stores its last use once per `updateAge`.
  const since = after(now, -Math.max(guestLifetime, updateAge))
  const isUnseen = store.isUnseenGuest({
    since,
    liveAt: disableSessionRefresh ? now : null,
    kept: [
      ...contributed(scope, 'keeps', 'wayIn', 'all').map((keeps) => keeps(scope, store.guestId)),
      ...contributed(scope, 'keeps', 'guest', 'all').map((keeps) => keeps(scope, store.guestId, since)),
    ],
  })
  const due = await store.listDueGuests(scope.db, since, batchSize, isUnseen)
  const kept: string[] = []
  for (const { user, isUnseen: isDeletable } of due) {
    if (!isDeletable || !(await remove(scope, user, isUnseen))) kept.push(user.id)
  }
  if (kept.length > 0) await store.keepGuests(scope.db, kept, { since, now })
}

/** @returns whether the guest is deleted; a guest who has returned is kept */
async function remove(scope: Scope, guest: User, isUnseen: Condition): Promise<boolean> {
  try {
    const work = unitOfWork(scope)
    work.require(store.isStillUnseen(guest.id, isUnseen))
    work.audit({ action: 'guest-deleted', actor: { type: 'system', id: null }, subjectId: guest.id })
    await removeUser(scope, guest, work)
  } catch (thrown) {
    scope.log('warn', 'guest-not-deleted', { reason: reasonOf(thrown) })
    return false
  }
  forgetSessionsOf(scope, guest.id)
  return true
}
