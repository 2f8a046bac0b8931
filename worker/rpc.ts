import { WorkerEntrypoint } from 'cloudflare:workers'
import { config } from './config.ts'
import { setPassword } from './features/email-password/change-password.ts'
import { lifecycleOf } from './features.ts'
import { openScope } from './http/open-scope.ts'
import type { Scope } from './identity/scope.ts'
import { mailOptions, textOptions } from './identity/settings.ts'
import { AppError } from './kit/errors.ts'
import type { Env } from './platform/env.ts'
import { mailer } from './platform/mailer/mailer.ts'
import { texter } from './platform/texter/texter.ts'
import { readConfig } from './read-config.ts'

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
    const { settings, options } = readConfig(config, this.env)
    const runtime = {
      settings,
      options,
      lifecycle: lifecycleOf(options),
      sendMail: mailer(mailOptions.of({ options }), this.env),
      sendText: texter(textOptions.of({ options }), this.env),
    }
    const scope = openScope(new Request(settings.baseUrl), this.env, this.ctx, runtime)
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
