import { env } from 'cloudflare:workers'
import { createApp } from './app.ts'
import { config } from './config.ts'
import { openScope } from './http/open-scope.ts'
import type { Env } from './platform/env.ts'
import { readConfig } from './read-config.ts'
import { buildRuntime } from './runtime.ts'
import { runScheduled } from './scheduled.ts'

export { Counter } from './platform/durable/counter.ts'
export { OneTimeRecord } from './platform/durable/one-time.ts'
export { ServerApi } from './rpc.ts'

/** Built while the isolate starts: a configuration that cannot work is refused before the first request. */
const configuration = readConfig(config, env as unknown as Env)
const app = createApp(configuration, env as unknown as Env)

async function work(bindings: Env, context: ExecutionContext): Promise<void> {
  const scope = openScope({
    request: new Request(configuration.settings.baseUrl),
    path: '',
    env: bindings,
    context,
    runtime: buildRuntime(configuration, bindings),
  })
  await runScheduled(scope)
  scope.answered()
}

export default {
  fetch: app.fetch,
  scheduled: (_event, bindings, context) => context.waitUntil(work(bindings, context)),
} satisfies ExportedHandler<Env>
