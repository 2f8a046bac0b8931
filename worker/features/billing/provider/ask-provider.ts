import type { Polar } from '@polar-sh/sdk/2026-10'
import type * as z from 'zod'
import type { Scope } from '../../../identity/scope.ts'
import { ms } from '../../../kit/time.ts'
import { billingOptions } from '../billing.config.ts'

/** The provider said no, with a reason; or it could not be asked. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  /**
   * Says nothing of what the provider said: that repeats what it was sent, addresses among it.
   * @param status of its answer; null when there was none that could be read
   * @param kind of the error, such as `HTTPValidationError`
   */
  constructor(
    readonly status: number | null,
    kind: string,
  ) {
    super(`the billing provider ${status === null ? 'could not be reached or read' : `answered ${status}`} (${kind})`)
  }

  /** Asking again later may help: an outage, too many requests, or an access token that has to be mended. */
  get isOutage(): boolean {
    return this.isServerError || [401, 403, 429].includes(this.status!)
  }

  get isServerError(): boolean {
    return this.status === null || this.status >= 500
  }
}

const attempts = 2

/**
 * Asks the provider by its SDK, which is loaded when it is first needed. A server error or a broken connection is
 * tried a second time at once; so nothing may be asked that does harm when it is done twice. Time-outs are not.
 * @param schema what the answer must be like, as far as we rely on it
 * @throws ProviderFailure
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
      : { baseUrl: server.replace(/\/+$/, '') }),
  })
  for (let attempt = 1; ; attempt++) {
    const begun = Date.now()
    try {
      scope.io.outside++
      return schema.parse(await ask(polar))
    } catch (thrown) {
      const failure = new ProviderFailure(statusOf(thrown), thrown instanceof Error ? thrown.name : typeof thrown)
      if (!failure.isServerError || attempt === attempts || Date.now() - begun >= ms(timeout)) throw failure
    }
  }
}

const accessToken = (scope: Scope): string => scope.env.POLAR_ACCESS_TOKEN || billingOptions.of(scope).accessToken || ''

/** The SDK has no status on its server errors. */
function statusOf(thrown: unknown): number | null {
  if (!(thrown instanceof Error)) return null
  if (thrown.name === 'PolarServerError') return 500
  return 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : null
}
