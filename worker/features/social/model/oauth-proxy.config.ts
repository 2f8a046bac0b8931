import * as z from 'zod'
import type { Scope } from '../../../identity/scope.ts'
import { defineOptions, flag, section } from '../../../kit/options.ts'

/**
 * Sign-in at deployments whose callbacks are not registered at the providers, such as previews: the provider redirects the
 * browser to the production deployment, which hands the session over. Both share the secret, the database and the Durable
 * Objects. The production deployment lists the previews in `trustedOrigins`.
 */
export const oauthProxyOptions = defineOptions('oAuthProxy', () =>
  section({
    enabled: flag(true),
    /** Origin of the deployment whose callbacks are registered. Empty: each deployment handles its own callbacks. */
    productionURL: z.string().default(''),
  }),
)

/** The deployment that handles the callbacks of this one; null where that is this one. */
export function productionOrigin(scope: Scope): string | null {
  const { enabled, productionURL } = oauthProxyOptions.of(scope)
  if (!enabled || !URL.canParse(productionURL)) return null
  const { origin } = new URL(productionURL)
  return origin === scope.settings.baseUrl ? null : origin
}
