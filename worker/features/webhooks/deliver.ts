import type { Scope } from '../../identity/scope.ts'
import { pauses } from '../../identity/tasks/tasks.ts'
import { ms } from '../../kit/time.ts'
import { reasonOf } from '../../platform/log.ts'
import { runBatch } from '../../platform/statements.ts'
import { secretOf } from './check-endpoints.ts'
import { readSecret, signedHeaders } from './sign.ts'
import { nameOf, type WebhookEndpoint, webhookOptions } from './webhooks.config.ts'
import { type Claim, claimDeliveries, deliveredStatement, failedStatement } from './webhooks.store.ts'
import type { WebhookDelivery } from './webhooks.table.ts'

/** As many as a Worker sends at the same time. */
const atOnce = 6

/**
 * Delivers messages that are due, a subject's one after the other. An endpoint that takes nothing in one round is left
 * alone for the rest of the run.
 * @param most how many tries this run makes
 */
export async function deliverDue(
  scope: Scope,
  { most, ...which }: { most: number } & Pick<Claim, 'newestFirst'> & { endpoint?: string; subject?: string },
): Promise<void> {
  const endpoints = new Map(webhookOptions.of(scope).endpoints.map((endpoint) => [nameOf(endpoint), endpoint]))
  const { endpoint: only, subject, newestFirst } = which
  const open = new Set(only === undefined ? endpoints.keys() : [only])
  for (let tries = 0; tries < most && open.size > 0; ) {
    const limit = Math.min(atOnce, most - tries)
    const now = scope.now()
    const claimed = await claimDeliveries(scope.db, { endpoints: [...open], subject, limit, newestFirst, now, pauses })
    if (claimed.length === 0) return
    tries += claimed.length
    const taken = await Promise.all(claimed.map((one) => tryOnce(scope, endpoints.get(one.endpoint), one)))
    await runBatch(
      scope.db,
      taken.map(({ statement }) => statement),
    )
    for (const name of open) {
      const theirs = taken.filter(({ delivery }) => delivery.endpoint === name)
      if (theirs.length > 0 && !theirs.some(({ delivered }) => delivered)) open.delete(name)
    }
  }
}

/** Whether a receiver takes a message, and the statement that notes it. */
async function tryOnce(scope: Scope, endpoint: WebhookEndpoint | undefined, delivery: WebhookDelivery) {
  try {
    if (!endpoint) throw new Error('the endpoint is not configured any more')
    await send(scope, endpoint, delivery)
    return { delivery, delivered: true, statement: deliveredStatement(scope.db, delivery, scope.now()) }
  } catch (thrown) {
    const now = scope.now()
    const { giveUpAfter } = webhookOptions.of(scope)
    const gaveUp = now.getTime() - delivery.pendingSince.getTime() >= ms(giveUpAfter)
    const { type, attempts } = delivery
    const reason = reasonOf(thrown)
    scope.log(gaveUp ? 'error' : 'warn', 'webhook-not-delivered', { id: delivery.id, type, attempts, gaveUp, reason })
    return { delivery, delivered: false, statement: failedStatement(scope.db, delivery, reason, gaveUp ? now : null) }
  }
}

/** Any answer that is not a success is a failure; a redirect is none. What it says is not read. */
async function send(scope: Scope, { url, secrets }: WebhookEndpoint, delivery: WebhookDelivery): Promise<void> {
  const { id, type, createdAt, data } = delivery
  const body = JSON.stringify({ type, timestamp: createdAt, data })
  const keys = secrets.flatMap((name) => readSecret(secretOf(scope.env, name)) ?? [])
  const answer = await scope.uncounted.outside(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders({ id, at: scope.now(), body }, keys) },
    body,
    timeout: webhookOptions.of(scope).timeout,
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the receiver answered ${answer.status}`)
}
