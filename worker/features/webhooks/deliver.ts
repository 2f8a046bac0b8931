import { historyKept } from '../../identity/history.ts'
import { jobStatementsFor } from '../../identity/jobs/jobs.ts'
import type { EventRows, EventType } from '../../identity/model/events.ts'
import type { JobFacts, JobKind } from '../../identity/model/job-kind.ts'
import type { Scope } from '../../identity/scope.ts'
import { hours } from '../../kit/time.ts'
import { secretOf } from '../../platform/env.ts'
import type { Statement } from '../../platform/statements.ts'
import { readWebhookSecret, signedHeaders } from './sign.ts'
import { endpointNameOf, wantsEvent, webhookOptions } from './webhooks.config.ts'
import { messageRows } from './webhooks.store.ts'

/** Lifecycle place `recording`: writes messages for the endpoints that subscribe to the event. */
export function writeMessages(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  const endpoints = webhookOptions.of(scope).endpoints.filter((endpoint) => wantsEvent(endpoint, type))
  if (endpoints.length === 0) return []
  const messages = messageRows(type, rows(), endpoints.map(endpointNameOf), scope.now())
  return jobStatementsFor(scope, 'webhook', messages, { idPrefix: 'msg_' })
}

/** Every status other than 2xx is a failure, including redirects. The body of the response is not read. */
async function deliver(scope: Scope, payload: object, { id, target }: JobFacts): Promise<void> {
  const endpoint = webhookOptions.of(scope).endpoints.find((one) => endpointNameOf(one) === target)
  if (!endpoint) throw new Error('the endpoint is not configured any more')
  const body = JSON.stringify(payload)
  const keys = endpoint.secrets.flatMap((name) => readWebhookSecret(secretOf(scope.env, name)) ?? [])
  const answer = await scope.io.uncounted.outside(endpoint.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders({ id, at: scope.now(), body }, keys) },
    body,
    timeout: webhookOptions.of(scope).timeout,
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the receiver answered ${answer.status}`)
}

/** `webhook/<endpoint>` */
export const webhookJobs: Record<'webhook', JobKind<Scope>> = {
  webhook: {
    run: deliver,
    parallel: 6,
    batchSize: 100,
    cost: 1,
    maxRest: hours(1),
    rules: (scope) => {
      const { giveUpAfter, keepDelivered: keepDone, keepFailed } = webhookOptions.of(scope)
      return { giveUpAfter, keepDone: historyKept(scope, keepDone, 0), keepFailed }
    },
  },
}
