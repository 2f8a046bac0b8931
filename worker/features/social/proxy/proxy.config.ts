import { defineOptions } from '../../../kit/options.ts'

/**
 * Sign-in at deployments whose address no provider knows, such as previews: the provider sends the browser to the
 * production deployment, which hands the session over. Both share the secret, the database and the Durable Objects;
 * production names the previews in `trustedOrigins`.
 */
export const oauthProxyOptions = defineOptions('oAuthProxy', {
  enabled: true,
  /** Origin of the deployment that the providers know; empty: everybody comes back to where they started. */
  productionURL: '',
})
