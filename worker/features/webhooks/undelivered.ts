import type { Scope } from '../../identity/scope.ts'
import { after } from '../../kit/time.ts'
import { runBatch } from '../../platform/statements.ts'
import { deliverDue } from './deliver.ts'
import { nameOf, webhookOptions } from './webhooks.config.ts'
import { webhookErrors } from './webhooks.errors.ts'
import { deleteOld, giveUpOrphans, listUndelivered, reviveDelivery, stateOf } from './webhooks.store.ts'
import type { WebhookDelivery } from './webhooks.table.ts'

/** Tries of one run of the cron trigger: each, and each round of six, costs subrequests, of which a run has 1,000. */
const mostAtOnce = 300

const listed = 100

/** By the cron trigger: what is due is tried, and what is old is deleted. */
export async function deliverWaiting(scope: Scope): Promise<void> {
  const { endpoints, giveUpAfter, keepDelivered, keepFailed } = webhookOptions.of(scope)
  const now = scope.now()
  await deliverDue(scope, { most: mostAtOnce, newestFirst: false })
  await runBatch(scope.db, [
    giveUpOrphans(scope.db, endpoints.map(nameOf), after(now, -giveUpAfter), now),
    deleteOld(scope.db, { delivered: after(now, -keepDelivered), failed: after(now, -keepFailed) }),
  ])
}

/** A message that a receiver has not taken, as it is told to servers. */
export type UndeliveredEvent = Pick<
  WebhookDelivery,
  'id' | 'endpoint' | 'type' | 'subject' | 'createdAt' | 'attempts' | 'lastError'
> & { state: 'waiting' | 'failed' }

/** Messages that were given up, and those that wait for another try; newest first. Server-only: see webhooks.rpc.ts. */
export async function listUndeliveredEvents(scope: Scope): Promise<UndeliveredEvent[]> {
  const rows = await listUndelivered(scope.db, listed)
  return rows.map(({ id, endpoint, type, subject, createdAt, attempts, lastError, state }) => ({
    ...{ id, endpoint, type, subject, createdAt, attempts, lastError },
    state: state === 'failed' ? 'failed' : 'waiting',
  }))
}

/**
 * Tries one of them again at once, after the earlier ones of its subject; when that fails it waits its turn like a new
 * one. Server-only.
 * @throws EVENT_NOT_FOUND
 */
export async function redeliverEvent(scope: Scope, id: string): Promise<{ delivered: boolean }> {
  const revived = await reviveDelivery(scope.db, id, scope.now())
  if (!revived) throw webhookErrors.EVENT_NOT_FOUND()
  const { endpoint, subject } = revived
  await deliverDue(scope, { most: mostAtOnce, newestFirst: false, endpoint, subject })
  return { delivered: (await stateOf(scope.db, id)) === 'delivered' }
}
