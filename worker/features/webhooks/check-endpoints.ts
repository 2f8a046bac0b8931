import { isPublicAddress } from '../../kit/public-address.ts'
import type { Env } from '../../platform/env.ts'
import { readSecret } from './sign.ts'
import { nameOf, webhookOptions } from './webhooks.config.ts'

/** What is wrong with the configured endpoints, for whoever deploys: a setting, and why it cannot be. */
export function problemsOfEndpoints(
  options: Readonly<Record<string, unknown>>,
  env: Env,
  environment: 'production' | 'development',
): { setting: string; reason: string }[] {
  const { endpoints } = webhookOptions.of({ options })
  const names = endpoints.map(nameOf)
  return endpoints.flatMap((endpoint, at) => {
    const { url, secrets } = endpoint
    const mayBe = environment === 'production' ? isPublicAddress(url) : isHttp(url)
    return [
      ...(mayBe ? [] : [{ setting: `webhooks.endpoints.${at}.url`, reason: addressRule }]),
      ...(names.indexOf(nameOf(endpoint)) === at
        ? []
        : [{ setting: `webhooks.endpoints.${at}.name`, reason: 'another endpoint has the same; give each its own' }]),
      ...secrets
        .filter((name) => readSecret(secretOf(env, name)) === null)
        .map((name) => ({ setting: name, reason: secretRule(name) })),
    ]
  })
}

const addressRule = 'must be https:// at a public host, without a port, a user or an address by number'
const secretRule = (name: string) =>
  `is missing, or is not whsec_ and 24 to 64 bytes in base64; set it with \`npx wrangler secret put ${name}\`: ` +
  "node -p \"'whsec_' + crypto.randomBytes(32).toString('base64')\""

/** A Worker's secret by its name. */
export const secretOf = (env: Env, name: string): string | undefined => {
  const value = (env as unknown as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
