import type { Caller, Scope } from '../../../identity/scope.ts'
import { newId } from '../../../kit/random.ts'
import { after, minutes } from '../../../kit/time.ts'
import { billingOptions } from '../billing.config.ts'
import { billingErrors as errors } from '../billing.errors.ts'
import { askProvider, ProviderFailure } from '../provider/ask-provider.ts'
import { ingestAnswer } from '../provider/provider-answers.ts'
import * as store from './usage.store.ts'
import type { UsageEvent } from './usage.table.ts'

export interface Usage {
  event: string
  metadata: Record<string, string | number | boolean>
}

/** Events that one call to the provider carries. */
const batchSize = 100

/** How long one who sends has the events for themselves. */
const lease = minutes(1)

/**
 * Counts something that the caller has used: at the provider before the answer, or here first (billing.onUsage). Each
 * event has an id, by which the provider counts it once.
 * @throws NEGATIVE_USAGE; INGESTION_FAILED when the provider does not take it
 */
export async function ingestUsage(
  scope: Scope,
  { user }: Caller,
  { event: name, metadata }: Usage,
): Promise<{ inserted: number }> {
  const { negativeUsage, onUsage } = billingOptions.of(scope)
  const isNegative = (value: unknown) => typeof value === 'number' && value < 0
  if (!negativeUsage && Object.values(metadata).some(isNegative)) throw errors.NEGATIVE_USAGE()
  const now = scope.now()
  const event: UsageEvent = {
    id: newId(),
    userId: user.id,
    name,
    metadata,
    at: now,
    nextAt: now,
    batch: null,
    refusal: null,
  }
  if (onUsage === 'outbox') {
    await store.insertEvent(scope.db, event)
    scope.after(() => sendBatch(scope))
    return { inserted: 1 }
  }
  try {
    const { inserted } = await send(scope, [event])
    // Where a first try arrived and its answer did not, the second inserts nothing: it is counted all the same.
    return { inserted: inserted || 1 }
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) throw errors.INGESTION_FAILED({ detail: thrown.message })
    throw thrown
  }
}

const send = (scope: Scope, events: UsageEvent[]) =>
  askProvider(scope, ingestAnswer, (polar) =>
    polar.events.ingest({
      events: events.map(({ id, userId, name, metadata, at }) => ({
        name,
        metadata,
        external_id: id,
        external_customer_id: userId,
        timestamp: at.toISOString(),
      })),
    }),
  )

/** Sends the oldest events that wait. @returns how many it had in its hands */
async function sendBatch(scope: Scope): Promise<number> {
  const batch = newId()
  const now = scope.now()
  const events = await store.leaseEvents(scope.db, batch, now, after(now, lease), batchSize)
  if (events.length === 0) return 0
  try {
    await send(scope, events)
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure) || thrown.isOutage || thrown.status === 401) throw thrown
    // One of them is not to the provider's liking: the others must not wait for it.
    for (const event of events) await sendAlone(scope, event)
  }
  await store.deleteBatch(scope.db, batch)
  return events.length
}

async function sendAlone(scope: Scope, event: UsageEvent): Promise<void> {
  try {
    await send(scope, [event])
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure) || thrown.isOutage) throw thrown
    scope.log('error', 'billing-usage-refused', { id: event.id, name: event.name, reason: thrown.message })
    await store.noteRefusal(scope.db, event.id, thrown.message)
  }
}

/** By the cron trigger: sends what could not be sent before, until nothing waits or the provider fails again. */
export async function sendWaitingUsage(scope: Scope): Promise<void> {
  while ((await sendBatch(scope)) === batchSize);
}
