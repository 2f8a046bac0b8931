import type { Scope } from '../../../identity/scope.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { after, days, hours, minutes } from '../../../kit/time.ts'
import { bounded } from '../../../platform/bounded.ts'
import { takenColumn } from '../../../platform/database.ts'
import { reasonOf } from '../../../platform/log.ts'
import { runBatch } from '../../../platform/statements.ts'
import { billingOptions, type Handlers } from '../billing.config.ts'
import { billingErrors, webhookError } from '../billing.errors.ts'
import { entitlementStatements } from '../entitlements/apply-event.ts'
import { type EventType, parseEvent, UnreadableEvent, type WebhookEvent } from './events.ts'
import * as ledger from './ledger.store.ts'
import type { LedgerEntry } from './ledger.table.ts'
import type { Delivery } from './verify.ts'

/** How long what failed rests, by the tries it has had. Then it waits to be replayed. */
const pauses = [minutes(1), minutes(5), minutes(15), hours(1), hours(4), hours(12), days(1), days(2)]

const nextTry = (scope: Scope, attempts: number): Date | null => {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : after(scope.now(), pause)
}

/**
 * Takes in a webhook: its entry in the ledger and what it changes here are one batch, so that a second delivery, which
 * finds the entry, changes nothing. The configured handlers are called then; what fails is kept and tried again.
 * @throws `Webhook Error: Failed to parse ...`, WEBHOOK_ERROR_SEE_SERVER_LOGS_FOR_MORE_INFORMATION
 */
export async function receiveWebhook(scope: Scope, delivery: Delivery): Promise<{ received: true }> {
  const { id, type } = delivery
  let event: WebhookEvent
  try {
    event = parseEvent(type, delivery.event)
  } catch (thrown) {
    if (!(thrown instanceof UnreadableEvent)) throw thrown
    const reason = reasonOf(thrown)
    scope.log('error', 'billing-webhook-unreadable', { id, type, reason })
    await ledger.keepEntry(scope.db, await entryOf(scope, delivery, `${thrown.message}: ${reason}`))
    throw webhookError(thrown.message)
  }
  const handlers = handlersOf(scope, type)
  const entry = await entryOf(scope, delivery, handlers.length > 0 ? null : 'done')
  try {
    await runBatch(scope.db, [
      ledger.insertEntry(scope.db, entry),
      ...entitlementStatements(scope, event, delivery.signedAt),
    ])
  } catch (thrown) {
    if (takenColumn(thrown) === ledger.ledgerKey) return { received: true }
    throw thrown
  }
  if (handlers.length > 0 && !(await handle(scope, id, event, handlers))) {
    throw billingErrors.WEBHOOK_ERROR_SEE_SERVER_LOGS_FOR_MORE_INFORMATION()
  }
  return { received: true }
}

/** @param state `done`, or why it is not done yet; null when it is about to be */
async function entryOf(scope: Scope, delivery: Delivery, state: 'done' | (string & {}) | null): Promise<LedgerEntry> {
  const { id, type, raw, signedAt } = delivery
  const done = state === 'done'
  return {
    id,
    type,
    done,
    payload: done ? null : await seal(scope.settings.secrets, raw),
    attempts: 1,
    nextAt: done ? null : nextTry(scope, 1),
    lastError: done ? null : state,
    signedAt,
    receivedAt: scope.now(),
  }
}

type Handler = NonNullable<Handlers['*']>

const handlersOf = (scope: Scope, type: EventType): Handler[] => {
  const { on } = billingOptions.of(scope)
  return [on[type] as Handler | undefined, on['*']].filter((handler) => handler !== undefined)
}

/** How long (ms) one handler is waited for, by the provider and by the cron trigger; then it has failed. */
const patienceWithHandler = 10_000

/** Calls the handlers, and writes down what became of it. @returns whether all went well */
async function handle(scope: Scope, id: string, event: WebhookEvent, handlers: Handler[]): Promise<boolean> {
  try {
    for (const handler of handlers) {
      await bounded('the handler', patienceWithHandler, async () => handler(event, { env: scope.env }))
    }
  } catch (thrown) {
    const reason = reasonOf(thrown)
    scope.log('error', 'billing-webhook-failed', { id, type: event.type, reason })
    await ledger.noteFailure(scope.db, id, reason)
    return false
  }
  await ledger.finishEntry(scope.db, id)
  return true
}

/** Does again what was not done. @returns whether it is done now */
async function tryAgain(scope: Scope, entry: LedgerEntry): Promise<boolean> {
  if (!(await ledger.leaseEntry(scope.db, entry, nextTry(scope, entry.attempts + 1)))) return false
  const { id, payload, signedAt } = entry
  try {
    const type = entry.type as EventType
    const event = parseEvent(type, JSON.parse(await open(scope.settings.secrets, payload!)) as object)
    await runBatch(scope.db, entitlementStatements(scope, event, signedAt))
    return await handle(scope, id, event, handlersOf(scope, type))
  } catch (thrown) {
    const reason = reasonOf(thrown)
    scope.log('error', 'billing-webhook-failed', { id, type: entry.type, reason })
    await ledger.noteFailure(scope.db, id, reason)
    return false
  }
}

/** The most that one run of the cron trigger does. */
const mostAtOnce = 200

/** By the cron trigger. */
export async function retryWebhooks(scope: Scope): Promise<void> {
  const { ledgerLifetime } = billingOptions.of(scope)
  for (const entry of await ledger.listDue(scope.db, scope.now(), mostAtOnce)) await tryAgain(scope, entry)
  await ledger.deleteOldEntries(scope.db, after(scope.now(), -ledgerLifetime))
}

/** Tries one at once that is not done, whatever it is waiting for. @throws WEBHOOK_NOT_FOUND */
export async function replayWebhook(scope: Scope, id: string): Promise<{ done: boolean }> {
  const entry = await ledger.findEntry(scope.db, id)
  if (!entry || entry.done) throw billingErrors.WEBHOOK_NOT_FOUND()
  return { done: await tryAgain(scope, entry) }
}

/** A webhook that could not be done yet. */
export type UndoneWebhook = Awaited<ReturnType<typeof listUndoneWebhooks>>[number]

/** Those that are not done, newest first. */
export const listUndoneWebhooks = (scope: Scope) => ledger.listUndone(scope.db, mostAtOnce)
