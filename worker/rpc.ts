import { WorkerEntrypoint } from 'cloudflare:workers'
import { config } from './config.ts'
import { setPassword } from './features/email-password/change-password.ts'
import { openScope } from './http/open-scope.ts'
import type { Scope } from './identity/scope.ts'
import { AppError } from './kit/errors.ts'
import type { Env } from './platform/env.ts'
import { readConfig } from './read-config.ts'
import { buildRuntime } from './runtime.ts'

/** What a method answers: its result, or why it was refused. Errors do not travel between Workers as they are. */
export type RpcAnswer<T> = { ok: true; result: T } | { ok: false; code: string; message: string }

/**
 * Operations for servers only: methods of this entrypoint for Workers with a service binding, never reachable over
 * HTTP. In the caller's wrangler.toml: `services = [{ binding = "GATEHOUSE", service = "gatehouse", entrypoint = "ServerApi" }]`.
 */
export class ServerApi extends WorkerEntrypoint<Env> {
  /** Gives a password to a user who has none. */
  setPassword(input: { userId: string; newPassword: string }): Promise<RpcAnswer<{ status: true }>> {
    return this.run(async (scope) => {
      await setPassword(scope, input.userId, input.newPassword)
      return { status: true }
    })
  }

  private async run<T>(work: (scope: Scope) => Promise<T>): Promise<RpcAnswer<T>> {
    const runtime = buildRuntime(readConfig(config, this.env), this.env)
    const scope = openScope(new Request(runtime.settings.baseUrl), this.env, this.ctx, runtime)
    try {
      return { ok: true, result: await work(scope) }
    } catch (thrown) {
      if (thrown instanceof AppError) return { ok: false, code: thrown.code, message: thrown.message }
      throw thrown
    } finally {
      scope.answered()
    }
  }
}
