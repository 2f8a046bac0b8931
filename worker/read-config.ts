import * as z from 'zod'
import { type KnownOptions, knownOptions } from './features.ts'
import type { Settings } from './identity/settings.ts'
import { mergeOptions, type Partially } from './kit/options.ts'
import { originOf } from './kit/urls.ts'
import type { Env } from './platform/env.ts'

/** What worker/config.ts may say. Every option that it leaves out has the specification's value. */
export type Config = {
  appName?: string
  profile?: Settings['profile']
  /** More origins that may call with cookies and be redirected to: `https://app.example.com`, `https://*.example.com`. */
  trustedOrigins?: string[]
} & { [O in KnownOptions as O['name']]?: Partially<O['defaults']> }

/** What the application is built from. */
export interface Configuration {
  settings: Settings
  options: Readonly<Record<string, unknown>>
}

/** A setting that is missing or contradictory. Its message begins with the setting's name and says what to do. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  constructor(
    readonly setting: string,
    reason: string,
  ) {
    super(`${setting}: ${reason}`)
  }
}

const developmentOnly = ['RATE_LIMIT', 'ADMIN_EMAILS', 'CONFIG'] as const
const shortestSecret = 32

/**
 * Puts the configuration together: the features' defaults, the strict profile's over them, worker/config.ts over both,
 * and in development the CONFIG variable over all.
 * @throws ConfigurationError, which keeps the Worker from starting
 */
export function readConfig(config: Config, env: Env): Configuration {
  const environment = env.ENVIRONMENT === 'development' ? 'development' : 'production'
  if (environment === 'production') {
    for (const name of developmentOnly) {
      if (env[name])
        throw new ConfigurationError(name, 'is for development only; remove it from the production variables')
    }
  }
  const {
    appName = 'Gatehouse',
    profile = 'compatible',
    trustedOrigins = [],
    ...chosen
  } = mergeOptions(config, parseConfigVariable(env.CONFIG)) as Config & Record<string, unknown>
  if (profile !== 'compatible' && profile !== 'strict') {
    throw new ConfigurationError('profile', "must be 'compatible' or 'strict'")
  }
  refuseUnknown(chosen, environment)

  const options: Record<string, unknown> = {}
  for (const { name, defaults, strict } of knownOptions) {
    const base: object = profile === 'strict' ? mergeOptions<object>(defaults, strict) : defaults
    options[name] = mergeOptions<object>(base, (chosen as Record<string, unknown>)[name])
  }
  if (environment === 'development' && env.RATE_LIMIT === 'off') {
    options.rateLimit = mergeOptions(options.rateLimit, { enabled: false })
  }
  if (environment === 'production') requireTexter(options, chosen)
  const baseUrl = readBaseUrl(env, environment)
  const settings: Settings = {
    appName,
    environment,
    baseUrl,
    secrets: readSecrets(env),
    profile,
    trustedOrigins: readOrigins(trustedOrigins, environment, baseUrl),
    adminEmails: (env.ADMIN_EMAILS ?? '')
      .toLowerCase()
      .split(',')
      .map((email) => email.trim())
      .filter(Boolean),
  }
  refuseContradictions({ settings, options }, env)
  return { settings, options }
}

/** Without a transport for text messages, production goes without phone numbers, unless they are asked for by name. */
function requireTexter(options: Record<string, unknown>, chosen: Config): void {
  if ((options.text as { transport: string }).transport !== 'mailbox') return
  if (chosen.phoneNumber?.enabled) {
    throw new ConfigurationError('text.transport', "the local mailbox is for development; choose 'twilio'")
  }
  options.phoneNumber = mergeOptions(options.phoneNumber, { enabled: false })
}

function parseConfigVariable(text: string | undefined): unknown {
  if (!text) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ConfigurationError('CONFIG', 'must be JSON, such as {"session":{"expiresIn":3600}}')
  }
  if (!z.record(z.string(), z.unknown()).safeParse(value).success) {
    throw new ConfigurationError('CONFIG', 'must be a JSON object')
  }
  return value
}

function refuseUnknown(chosen: Record<string, unknown>, environment: Settings['environment']): void {
  const known = new Set<string>(knownOptions.map(({ name }) => name))
  for (const name of Object.keys(chosen)) {
    if (known.has(name)) continue
    if (environment === 'production') throw new ConfigurationError(name, 'there is no such setting')
    console.warn(`${name}: there is no such setting; it is ignored in development and refused in production`)
  }
}

function readSecrets(env: Env): Settings['secrets'] {
  const secret = env.GATEHOUSE_SECRET ?? ''
  const advice = 'set it with `npx wrangler secret put GATEHOUSE_SECRET`, in development in .dev.vars'
  if (!secret) throw new ConfigurationError('GATEHOUSE_SECRET', `is missing; ${advice}`)
  const previous = (env.GATEHOUSE_PREVIOUS_SECRETS ?? '').split(',').filter(Boolean)
  for (const one of [secret, ...previous]) {
    if (one.length < shortestSecret) {
      const name = one === secret ? 'GATEHOUSE_SECRET' : 'GATEHOUSE_PREVIOUS_SECRETS'
      throw new ConfigurationError(name, `must have at least ${shortestSecret} characters; ${advice}`)
    }
  }
  return [secret, ...previous]
}

function readBaseUrl(env: Env, environment: Settings['environment']): string {
  const text = env.BASE_URL || (environment === 'development' ? 'http://localhost:8787' : '')
  const origin = originOf(text)
  if (origin === null || new URL(text).pathname !== '/') {
    throw new ConfigurationError('BASE_URL', 'must be the origin that people see, such as https://accounts.example.com')
  }
  if (environment === 'production' && !origin.startsWith('https:')) {
    throw new ConfigurationError('BASE_URL', 'must begin with https:// in production')
  }
  return origin
}

function readOrigins(origins: string[], environment: Settings['environment'], baseUrl: string): string[] {
  for (const origin of origins) {
    const probe = origin.replaceAll('*', 'any')
    if (originOf(probe.includes('://') ? probe : `https://${probe}`) === null || /[^/]\/[^/]/.test(probe)) {
      throw new ConfigurationError('trustedOrigins', `${origin} is no origin; write it like https://app.example.com`)
    }
  }
  if (environment === 'production') return origins
  // A development server answers under both names of this machine.
  return [...origins, baseUrl.replace('localhost', '127.0.0.1'), baseUrl.replace('127.0.0.1', 'localhost')]
}

/** Rules between settings, each with the name of the one to change. */
function refuseContradictions({ settings, options }: Configuration, env: Env): void {
  const number = (name: string, value: unknown, least: number) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < least) {
      throw new ConfigurationError(name, `must be a number of at least ${least}`)
    }
  }
  const { session, emailAndPassword, cookies, rateLimit, mail, emailVerification } = options as {
    [O in KnownOptions as O['name']]: O['defaults']
  }
  number('session.expiresIn', session.expiresIn, 1)
  number('session.updateAge', session.updateAge, 0)
  number('session.freshAge', session.freshAge, 0)
  number('session.cookieCache.maxAge', session.cookieCache.maxAge, 1)
  if (session.cookieCache.enabled && session.cookieCache.maxAge > session.expiresIn) {
    throw new ConfigurationError('session.cookieCache.maxAge', 'must not be longer than session.expiresIn')
  }
  number('emailAndPassword.minPasswordLength', emailAndPassword.minPasswordLength, 1)
  if (emailAndPassword.maxPasswordLength < emailAndPassword.minPasswordLength) {
    throw new ConfigurationError('emailAndPassword.maxPasswordLength', 'must not be less than minPasswordLength')
  }
  if (emailAndPassword.maxPasswordLength > 4096) {
    throw new ConfigurationError('emailAndPassword.maxPasswordLength', 'must not be over 4096')
  }
  if (emailAndPassword.requireEmailVerification && !emailVerification.enabled) {
    throw new ConfigurationError(
      'emailVerification.enabled',
      'must be true while emailAndPassword.requireEmailVerification is',
    )
  }
  number('rateLimit.window', rateLimit.window, 1)
  number('rateLimit.max', rateLimit.max, 1)
  if (!/^[A-Za-z0-9_-]+$/.test(cookies.prefix)) {
    throw new ConfigurationError('cookies.prefix', 'must be letters, digits, hyphens and underscores')
  }
  if (cookies.domain !== null) {
    const domain = cookies.domain.replace(/^\./, '')
    const host = new URL(settings.baseUrl).hostname
    if (host !== domain && !host.endsWith(`.${domain}`)) {
      throw new ConfigurationError(
        'cookies.domain',
        `must be the host of BASE_URL or a parent of it, not ${cookies.domain}`,
      )
    }
  }
  if (settings.environment === 'production' && mail.transport === 'mailbox') {
    throw new ConfigurationError(
      'mail.transport',
      "the local mailbox is for development; choose 'smtp' or 'cloudflare'",
    )
  }
  if (mail.transport === 'smtp' && !env.SMTP_HOST) {
    throw new ConfigurationError('SMTP_HOST', 'is missing; it names your mail server while mail.transport is smtp')
  }
  if (mail.transport === 'cloudflare' && !env.EMAIL) {
    throw new ConfigurationError('EMAIL', 'is missing; bind send_email in wrangler.toml for mail.transport cloudflare')
  }
}
