import { env } from 'cloudflare:workers'
import { createApp } from './app.ts'
import { config } from './config.ts'
import type { Env } from './platform/env.ts'
import { readConfig } from './read-config.ts'
import { purgeExpired } from './scheduled.ts'

export { Counter } from './platform/durable/counter.ts'
export { OneTimeRecord } from './platform/durable/one-time.ts'
export { ServerApi } from './rpc.ts'

/** Built while the isolate starts: a configuration that cannot work is refused before the first request. */
const app = createApp(readConfig(config, env as unknown as Env), env as unknown as Env)

export default {
  fetch: app.fetch,
  scheduled: (_event, bindings, context) => context.waitUntil(purgeExpired(bindings)),
} satisfies ExportedHandler<Env>
