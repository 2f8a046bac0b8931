import { tracing } from 'cloudflare:workers'
import type { Scope } from '../identity/scope.ts'
import { reasonOf } from '../platform/log.ts'
import type { Endpoint } from './endpoint.ts'

/** The end of a request at an endpoint. */
export interface RequestOutcome {
  status: number
  /** The code of the error, otherwise `signed-in` or `ok`. */
  outcome: string
  /** Milliseconds until the response. The clock of the runtime stops between I/O. */
  duration: number
}

/**
 * Describes a request to the trace of the runtime and to the data set `AUTH_EVENTS`, if they are on. Values are those of
 * the contract and numbers: no id, address, token, name or text of a request, so that neither contains personal data.
 */
export function observe(scope: Scope, endpoint: Endpoint, ended: RequestOutcome): void {
  try {
    annotateSpan(scope, endpoint, ended)
    if (endpoint.changes.length > 0 || ended.status >= 400) writeEvent(scope, endpoint, ended)
  } catch (thrown) {
    scope.log('error', 'not-observed', { reason: reasonOf(thrown) })
  }
}

/** The span of the request exists already, with those of its I/O below it: a span of our own would repeat it. */
function annotateSpan({ io: { used } }: Scope, { method, path }: Endpoint, { status, outcome }: RequestOutcome): void {
  const span = tracing.getActiveSpan()
  if (!span?.isTraced) return
  span.setAttributes({
    'http.route': path,
    'gatehouse.endpoint': `${method} ${path}`,
    'gatehouse.outcome': outcome,
    'gatehouse.status': status,
    'gatehouse.io.d1': used.d1,
    'gatehouse.io.kv': used.kv,
    'gatehouse.io.durable': used.durable,
    'gatehouse.io.r2': used.r2,
    'gatehouse.io.outside': used.outside,
  })
}

/** At most one data point for each request that changes something or fails; guides/operate.md names the columns. */
function writeEvent(
  { env, io: { used } }: Scope,
  { method, path }: Endpoint,
  { status, outcome, duration }: RequestOutcome,
): void {
  env.AUTH_EVENTS?.writeDataPoint({
    indexes: [path.slice(0, 96)],
    blobs: [method, outcome],
    doubles: [status, duration, used.d1, used.kv, used.durable, used.outside, used.r2],
  })
}
