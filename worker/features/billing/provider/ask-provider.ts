import type { Polar } from '@polar-sh/sdk/2026-10'
import type * as z from 'zod'
import type { Scope } from '../../../identity/scope.ts'
import { withoutEnd } from '../../../kit/text-end.ts'
import { ms } from '../../../kit/time.ts'
import { billingOptions } from '../billing.config.ts'

/** The provider rejected a request or is unreachable. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  /** The message omits the provider's own, which repeats the request with addresses. @param status null: unreadable */
  constructor(
    readonly status: number | null,
    kind: string,
  ) {
    super(`the billing provider ${status === null ? 'could not be reached or read' : `answered ${status}`} (${kind})`)
  }

  /**
   * A later request may succeed after an outage, too many requests, or an invalid access token that an operator
   * replaces.
   */
  get isOutage(): boolean {
    return this.isServerError || [401, 403, 429].includes(this.status!)
  }

  get isServerError(): boolean {
    return this.status === null || this.status >= 500
  }
}

const attempts = 2

/**
 * Calls the provider through its SDK, loaded at the first call. A server error or a broken connection is retried once
 * at once, so every request must be idempotent; a time-out is not retried. @throws ProviderFailure
 */
export async function askProvider<S extends z.ZodType>(
  scope: Scope,
  schema: S,
  ask: (polar: Polar) => Promise<unknown>,
): Promise<z.output<S>> {
  const { server, timeout } = billingOptions.of(scope)
  const { createPolar } = await import('@polar-sh/sdk/2026-10')
  const polar = createPolar({
    accessToken: accessToken(scope),
    timeout,
    ...(server === 'production' || server === 'sandbox'
      ? { environment: server }
      : { baseUrl: withoutEnd(server, '/') }),
  })
  for (let attempt = 1; ; attempt++) {
    const begun = Date.now()
    try {
      scope.io.used.outside++
      return schema.parse(await ask(polar))
    } catch (thrown) {
      const failure = new ProviderFailure(statusOf(thrown), thrown instanceof Error ? thrown.name : typeof thrown)
      if (!failure.isServerError || attempt === attempts || Date.now() - begun >= ms(timeout)) throw failure
    }
  }
}

const accessToken = (scope: Scope): string => scope.env.POLAR_ACCESS_TOKEN || billingOptions.of(scope).accessToken || ''

/** The SDK's server errors have no status. */
function statusOf(thrown: unknown): number | null {
  if (!(thrown instanceof Error)) return null
  if (thrown.name === 'PolarServerError') return 500
  return 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : null
}
