import { ConfigurationError } from './configuration-error.ts'
import { billingIsOn } from './features/billing/billing.config.ts'
import type { KnownOptions } from './features.ts'
import type { Settings } from './identity/settings.ts'
import type { Env } from './platform/env.ts'

/** Settings that are right by themselves and cannot stand together. The message names both. */
export function refuseContradictions(settings: Settings, options: object, env: Env): void {
  const { session, emailAndPassword, cookies, mail, emailVerification, username, billing } = options as {
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
    "the local mailbox is for development (ENVIRONMENT is production); choose 'smtp' or 'cloudflare'",
  )
  refuse(
    mail.transport === 'smtp' && !env.SMTP_HOST,
    'SMTP_HOST',
    'is missing; it names your mail server while mail.transport is smtp',
  )
  refuse(
    mail.transport === 'cloudflare' && !env.EMAIL,
    'EMAIL',
    'is missing; bind send_email in wrangler.toml for mail.transport cloudflare',
  )
}
