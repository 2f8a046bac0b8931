import { ConfigurationError } from './configuration-error.ts'
import { billingIsOn } from './features/billing/billing.config.ts'
import { problemsOfEndpoints } from './features/webhooks/check-endpoints.ts'
import { isTrustedTarget } from './http/edge/trusted-origin.ts'
import type { Settings } from './identity/settings.ts'
import { isTakenName } from './identity/users/additional-fields.ts'
import { contradictionIn } from './kit/additional-field.ts'
import { originOf } from './kit/urls.ts'
import type { KnownOptions } from './options.ts'
import type { Env } from './platform/env.ts'

type AllOptions = { [O in KnownOptions as O['name']]: O['defaults'] }
type Refuse = (when: boolean, setting: string, reason: string) => void

/** What HTTP transports of mails need. */
const keys = [
  ['resend', 'RESEND_API_KEY'],
  ['postmark', 'POSTMARK_SERVER_TOKEN'],
] as const

/** Settings that are right by themselves and cannot stand together. The message names both. */
export function refuseContradictions(settings: Settings, options: object, env: Env): void {
  const all = options as AllOptions
  const { session, emailAndPassword, cookies, mail, emailVerification, username, billing, pages } = all
  const refuse: Refuse = (when, setting, reason) => {
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
  refuse(
    settings.environment === 'production' && all.advanced.disableOriginCheck === true,
    'advanced.disableOriginCheck',
    "true is for development (ENVIRONMENT is production); say 'in-production-too' if that is what you mean",
  )
  refuseRanges(all, refuse)
  refuseIdle(all, refuse)
  refuseFields(all, refuse)
}

/** A greatest value below the least one. */
function refuseRanges({ apiKey }: AllOptions, refuse: Refuse): void {
  const { keyExpiration } = apiKey
  const below = (max: number, min: number, setting: string, other: string) =>
    refuse(max < min, `apiKey.${setting}`, `must not be less than apiKey.${other}`)
  below(apiKey.maximumPrefixLength, apiKey.minimumPrefixLength, 'maximumPrefixLength', 'minimumPrefixLength')
  below(apiKey.maximumNameLength, apiKey.minimumNameLength, 'maximumNameLength', 'minimumNameLength')
  below(
    keyExpiration.maxExpiresIn,
    keyExpiration.minExpiresIn,
    'keyExpiration.maxExpiresIn',
    'keyExpiration.minExpiresIn',
  )
}

/** Something asked for that another setting keeps from ever happening. */
function refuseIdle({ user, account, twoFactor, admin, organization }: AllOptions, refuse: Refuse): void {
  const { enabled, trustedProviders, allowDifferentEmails } = account.accountLinking
  const linking = 'account.accountLinking'
  refuse(
    user.deleteUser.sendDeleteAccountVerification && !user.deleteUser.enabled,
    'user.deleteUser.sendDeleteAccountVerification',
    'must not be true while user.deleteUser.enabled is false',
  )
  refuse(
    trustedProviders.length > 0 && !enabled,
    `${linking}.trustedProviders`,
    `must be empty while ${linking}.enabled is false`,
  )
  refuse(
    allowDifferentEmails && !enabled,
    `${linking}.allowDifferentEmails`,
    `must not be true while ${linking}.enabled is false`,
  )
  refuse(
    twoFactor.enabled && twoFactor.enforceOn === 'all' && twoFactor.totpOptions.disable && twoFactor.otpOptions.disable,
    'twoFactor.enforceOn',
    "must not be 'all' while twoFactor.totpOptions.disable and twoFactor.otpOptions.disable leave no second factor",
  )
  refuse(
    organization.enabled && !Object.hasOwn(organization.roles, organization.creatorRole),
    'organization.creatorRole',
    `names ${organization.creatorRole}, which organization.roles does not have`,
  )
  for (const role of admin.enabled ? [...admin.adminRoles, admin.defaultRole] : []) {
    refuse(
      !Object.hasOwn(admin.roles, role),
      role === admin.defaultRole ? 'admin.defaultRole' : 'admin.adminRoles',
      `names ${role}, which admin.roles does not have`,
    )
  }
}

/** Fields that the configuration adds to users and sessions. */
function refuseFields({ user, session }: AllOptions, refuse: Refuse): void {
  for (const [name, field] of Object.entries(user.additionalFields)) {
    const path = `user.additionalFields.${name}`
    refuse(isTakenName(name), path, `is a name that users have already; choose another one than ${name}`)
    const found = contradictionIn(field)
    refuse(found !== null, `${path}.${found?.setting}`, found?.reason ?? '')
  }
  for (const [name, field] of Object.entries(session.additionalFields)) {
    const path = `session.additionalFields.${name}`
    refuse(isTakenName(name, 'session'), path, `is a name that sessions have already; choose another one than ${name}`)
    refuse(
      field.required === true && field.defaultValue === undefined,
      `${path}.required`,
      'must not be true without a defaultValue: only the server sets fields of sessions',
    )
    const found = contradictionIn({ ...field, required: false })
    refuse(found !== null, `${path}.${found?.setting}`, found?.reason ?? '')
  }
}
