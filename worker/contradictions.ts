import { ConfigurationError } from './configuration-error.ts'
import { billingIsOn } from './features/billing/billing.config.ts'
import { problemsOfEndpoints } from './features/webhooks/check-endpoints.ts'
import type { KnownOptions } from './features.ts'
import { isTrustedTarget } from './http/edge/trusted-origin.ts'
import type { Settings } from './identity/settings.ts'
import { originOf } from './kit/urls.ts'
import type { Env } from './platform/env.ts'

/** What HTTP transports of mails need. */
const keys = [
  ['resend', 'RESEND_API_KEY'],
  ['postmark', 'POSTMARK_SERVER_TOKEN'],
] as const

/** Settings that are right by themselves and cannot stand together. The message names both. */
export function refuseContradictions(settings: Settings, options: object, env: Env): void {
  const { session, emailAndPassword, cookies, mail, emailVerification, username, billing, pages } = options as {
    [O in KnownOptions as O['name']]: O['defaults']
  }
  const refuse = (when: boolean, setting: string, reason: string) => {
    if (when) throw new ConfigurationError(setting, reason)
  }
  refuse(
    session.cookieCache.enabled && session.cookieCache.maxAge > session.expiresIn,
    'session.cookieCache.maxAge',
    'must not be longer than session.expiresIn',
  )
  refuse(
    emailAndPassword.maxPasswordLength < emailAndPassword.minPasswordLength,
    'emailAndPassword.maxPasswordLength',
    'must not be less than emailAndPassword.minPasswordLength',
  )
  refuse(
    username.maxUsernameLength < username.minUsernameLength,
    'username.maxUsernameLength',
    'must not be less than username.minUsernameLength',
  )
  refuse(
    emailAndPassword.requireEmailVerification && !emailVerification.enabled,
    'emailVerification.enabled',
    'must be true while emailAndPassword.requireEmailVerification is',
  )
  refuse(
    billingIsOn(options as Record<string, unknown>) && !billing.accessToken && !env.POLAR_ACCESS_TOKEN,
    'POLAR_ACCESS_TOKEN',
    'is missing; set it with `npx wrangler secret put POLAR_ACCESS_TOKEN`, or take the products out of billing',
  )
  for (const { setting, reason } of problemsOfEndpoints(
    options as Record<string, unknown>,
    env,
    settings.environment,
  )) {
    throw new ConfigurationError(setting, reason)
  }
  refuse(
    cookies.sameSite === 'none' && !settings.baseUrl.startsWith('https:'),
    'cookies.sameSite',
    `'none' is for https alone, and BASE_URL is ${settings.baseUrl}`,
  )
  if (cookies.domain !== null) {
    const domain = cookies.domain.replace(/^\./, '')
    const host = new URL(settings.baseUrl).hostname
    refuse(
      host !== domain && !host.endsWith(`.${domain}`),
      'cookies.domain',
      `must be the host of BASE_URL (${host}) or a parent of it, not ${cookies.domain}`,
    )
  }
  refuse(
    settings.environment === 'production' && mail.transport === 'mailbox',
    'mail.transport',
    "the local mailbox is for development (ENVIRONMENT is production); choose 'cloudflare', 'smtp', 'resend', 'postmark' or a function",
  )
  refuse(
    mail.transport === 'smtp' && !env.SMTP_HOST,
    'SMTP_HOST',
    'is missing; it names your mail server while mail.transport is smtp',
  )
  for (const [transport, secret] of keys) {
    refuse(
      mail.transport === transport && !env[secret],
      secret,
      `is missing; set it with \`npx wrangler secret put ${secret}\`, or change mail.transport (${transport})`,
    )
  }
  for (const [name, address] of Object.entries(pages)) {
    refuse(
      address !== null && !isTrustedTarget(settings, address),
      `pages.${name}`,
      `leads to an origin that is not trusted; add ${address && originOf(address)} to trustedOrigins`,
    )
  }
  refuse(
    mail.transport === 'cloudflare' && !env.EMAIL,
    'EMAIL',
    'is missing; bind send_email in wrangler.toml for mail.transport cloudflare',
  )
}
