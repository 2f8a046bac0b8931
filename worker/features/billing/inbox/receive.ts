import { insertJob, settleJob } from '../../../identity/jobs/jobs.store.ts'
import type { Job } from '../../../identity/jobs/jobs.table.ts'
import { draftJob } from '../../../identity/jobs/jobs.ts'
import type { JobKind } from '../../../identity/model/job-kind.ts'
import { notifyTabs } from '../../../identity/notify-tabs.ts'
import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { after, days, hours, minutes, ms, seconds } from '../../../kit/time.ts'
import { bounded } from '../../../platform/bounded.ts'
import { reasonOf } from '../../../platform/log.ts'
import type { Statement } from '../../../platform/statements.ts'
import { type BillingHandlers, billingOptions } from '../billing.config.ts'
import { billingErrors, webhookError } from '../billing.errors.ts'
import { entitlementStatements } from '../entitlements/apply-event.ts'
import { type BillingEventType, parseEvent, UnreadableEvent, type WebhookEvent } from '../events/events.ts'
import { productStatements } from '../plans/plans.ts'
import type { Delivery } from './verify.ts'

const kind = 'billing-inbox'

/** Pauses after a failure. The event is given up after the last one. */
const pauses = [minutes(1), minutes(5), minutes(15), hours(1), hours(4), hours(12), days(1), days(2)]

/**
 * Receives a webhook: its job, which is its entry in the ledger, and what it changes here are one batch; a second
 * delivery changes nothing. The configured handlers are called then, and the dispatcher repeats failures.
 */
export async function receiveWebhook(scope: Scope, delivery: Delivery): Promise<{ received: true }> {
  const { type } = delivery
  let event: WebhookEvent
  try {
    event = parseEvent(type, delivery.event)
  } catch (thrown) {
    if (!(thrown instanceof UnreadableEvent)) throw thrown
    const lastError = `${thrown.message}: ${reasonOf(thrown)}`
    scope.log('error', 'billing-webhook-unreadable', { id: delivery.id, type, reason: lastError })
    await insertJob(scope.db, { ...(await entryOf(scope, delivery)), lastError }).onConflictDoNothing()
    throw webhookError(thrown.message)
  }
  const handlers = handlersOf(scope, type)
  const entry = handlers.length > 0 ? await entryOf(scope, delivery) : doneEntry(scope, delivery)
  const work = unitOfWork(scope)
  work.unique('jobs.id', () => new ReceivedBefore())
  work.run(insertJob(scope.db, entry))
  work.run(statementsOf(scope, event, delivery.signedAt))
  const userId = ownerOf(event)
  try {
    await work.commit(() => {
      if (userId) notifyTabs(scope, userId, 'purchases')
    })
  } catch (thrown) {
    if (thrown instanceof ReceivedBefore) return { received: true }
    throw thrown
  }
  if (handlers.length === 0) return { received: true }
  try {
    await callHandlers(scope, event, handlers)
  } catch (thrown) {
    const lastError = reasonOf(thrown)
    scope.log('error', 'job-failed', { id: entry.id, kind: entry.kind, attempts: 1, reason: lastError })
    await settleJob(scope.db, entry.id, { lastError })
    throw billingErrors.WEBHOOK_ERROR_SEE_SERVER_LOGS_FOR_MORE_INFORMATION()
  }
  await settleJob(scope.db, entry.id, settled(scope))
  return { received: true }
}

/** What an event changes here. */
const statementsOf = (scope: Scope, event: WebhookEvent, signedAt: Date): Statement[] => [
  ...entitlementStatements(scope, event, signedAt),
  ...productStatements(scope, event),
]

/** The user whose purchases an event is about. */
function ownerOf({ data }: WebhookEvent): string | null {
  const { customer, external_id: own } = data as { customer?: { external_id?: string | null }; external_id?: string }
  return customer?.external_id ?? own ?? null
}

/** The webhook has a job. */
class ReceivedBefore extends Error {}

/** The job of an event that this request tries first. The time of the signature replaces a missing time of the event. */
async function entryOf(scope: Scope, { id, type, event, signedAt }: Delivery): Promise<Job> {
  const job = await draftJob(scope, `${kind}/${type}`, event, { id: `${kind}:${id}`, delay: pauses[0]! })
  return { ...job, attempts: 1, createdAt: signedAt }
}

const settled = (scope: Scope) => ({
  ...{ state: 'done' as const, payload: null, lastError: null, settledAt: scope.now() },
  nextAt: after(scope.now(), billingOptions.of(scope).ledgerLifetime),
})

const doneEntry = (scope: Scope, { id, type, signedAt }: Delivery): Job => ({
  ...{ id: `${kind}:${id}`, kind: `${kind}/${type}`, key: null, attempts: 1, createdAt: signedAt, ...settled(scope) },
})

type Handler = NonNullable<BillingHandlers['*']>

const handlersOf = (scope: Scope, type: BillingEventType): Handler[] => {
  const { on } = billingOptions.of(scope)
  return [on[type] as Handler | undefined, on['*']].filter((handler) => handler !== undefined)
}

/** Timeout of one handler. */
const handlerTimeout = seconds(10)

async function callHandlers(scope: Scope, event: WebhookEvent, handlers: readonly Handler[]): Promise<void> {
  for (const handler of handlers) {
    await bounded('the handler', ms(handlerTimeout), async () => handler(event, { env: scope.env }))
  }
}

/** `billing-inbox/<event type>` */
export const inboxJobs: Record<typeof kind, JobKind<Scope>> = {
  [kind]: {
    async run(scope, payload: object, { target, createdAt: signedAt }) {
      const type = target as BillingEventType
      const event = parseEvent(type, payload)
      const work = unitOfWork(scope)
      work.run(statementsOf(scope, event, signedAt))
      await work.commit()
      await callHandlers(scope, event, handlersOf(scope, type))
    },
    pauses,
    giveUpAfter: null,
    // A body has up to 1.4 MB, an isolate 128 MB.
    parallel: 1,
    batchSize: 5,
    cost: 10,
    rules: (scope) => {
      const { ledgerLifetime } = billingOptions.of(scope)
      return { keepDone: ledgerLifetime, keepFailed: ledgerLifetime }
    },
  },
}
