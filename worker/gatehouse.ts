import { env as bindings } from 'cloudflare:workers'
import { createApp } from './app.ts'
import { openScope } from './http/open-scope.ts'
import type { Env } from './platform/env.ts'
import { type Config, readConfig } from './read-config.ts'
import { type ServerApi, serverApi } from './rpc.ts'
import { buildRuntime } from './runtime.ts'
import { runScheduled } from './scheduled.ts'

export { Counter } from './platform/durable/counter.ts'
export { OneTimeRecord } from './platform/durable/one-time.ts'
/** For neighbours: `GATEHOUSE: Service<ServerApi>`. */
export type { Config, Env, ServerApi }

/** What a deployment exports. */
export interface Deployment {
  /** The default export: HTTP and the cron trigger. */
  handler: {
    fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response>
    scheduled(controller: ScheduledController, env: Env, context: ExecutionContext): void
  }
  /** The entrypoint for Workers with a service binding, exported by this name. */
  ServerApi: typeof ServerApi
}

/**
 * A whole deployment from its configuration, which is read here, once an isolate. At the top of the entry module:
 *
 *     const { handler, ServerApi } = gatehouse({ appName: 'Acme' })
 *     export default handler
 *     export { ServerApi }
 *     export { Counter, OneTimeRecord } from 'gatehouse'
 *
 * @throws ConfigurationError: what cannot work keeps the Worker from starting
 */
export function gatehouse(config: Config = {}): Deployment {
  const environment = bindings as unknown as Env
  const runtime = buildRuntime(readConfig(config, environment), environment)

  async function work(env: Env, context: ExecutionContext): Promise<void> {
    const scope = openScope({ request: new Request(runtime.settings.baseUrl), path: '', env, context, runtime })
    await runScheduled(scope)
    scope.answered()
  }

  return {
    handler: {
      fetch: createApp(runtime, environment).fetch,
      scheduled: (_controller, env, context) => context.waitUntil(work(env, context)),
    },
    ServerApi: serverApi(runtime),
  }
}
