import type { EventRows, EventType } from '../../identity/events/events.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Statement } from '../../platform/statements.ts'
import { deliverDue } from './deliver.ts'
import { nameOf, wants, webhookOptions } from './webhooks.config.ts'
import { insertDeliveries } from './webhooks.store.ts'

/** Tries after one answer: a request has few events, and each may have let others of its subject go. */
const mostAfterwards = 12

/** Requests that deliver when their answer is out. What is written later, the next one or the cron trigger delivers. */
const delivering = new WeakSet<Scope>()

/** `recording`: a message for everybody who wants to know, and a first try when the answer is out. */
export function writeMessages(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  const endpoints = webhookOptions.of(scope).endpoints.filter((endpoint) => wants(endpoint, type))
  if (endpoints.length === 0) return []
  if (!delivering.has(scope)) {
    delivering.add(scope)
    // Whatever is due, the newest first: what this request has written, if it has.
    scope.after(() => deliverDue(scope, { most: mostAfterwards, newestFirst: true }))
  }
  return [insertDeliveries(scope.db, type, rows(), endpoints.map(nameOf), scope.now())]
}
