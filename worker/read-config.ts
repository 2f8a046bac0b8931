import * as z from 'zod'
import { ConfigurationError } from './configuration-error.ts'
import { refuseContradictions } from './contradictions.ts'
import type { Settings } from './identity/settings.ts'
import { type Problem, problemsOf, unknownName } from './kit/option-schema.ts'
import { mergeOptions, type Partially } from './kit/options.ts'
import { originOf } from './kit/urls.ts'
import { type KnownOptions, knownOptions } from './options.ts'
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

const developmentOnly = ['RATE_LIMIT', 'ADMIN_EMAILS', 'CONFIG'] as const
const shortestSecret = 32

/** The settings that are no feature's. */
const ownSchemas: Record<keyof Config & keyof Settings, z.ZodType> = {
  appName: z.string(),
  profile: z.enum(['compatible', 'strict']),
  trustedOrigins: z.array(z.string()),
}

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
  refuse(problemsWith(config))
  const {
    appName = 'Gatehouse',
    profile = 'compatible',
    trustedOrigins = [],
    ...chosen
  } = mergeOptions(config, readConfigVariable(env.CONFIG))

  const options: Record<string, unknown> = {}
  for (const { name, defaults, strict } of knownOptions) {
    const base: object = profile === 'strict' ? mergeOptions<object>(defaults, strict) : defaults
    options[name] = mergeOptions<object>(base, chosen[name])
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
  refuseContradictions(settings, options, env)
  return { settings, options }
}

/** Without a transport for text messages, production goes without phone numbers, unless they are asked for by name. */
function requireTexter(options: Record<string, unknown>, chosen: Config): void {
  if ((options.text as { transport: unknown }).transport !== 'mailbox') return
  if (chosen.phoneNumber?.enabled) {
    throw new ConfigurationError(
      'text.transport',
      "the local mailbox is for development; choose 'twilio' or a function",
    )
  }
  options.phoneNumber = mergeOptions(options.phoneNumber, { enabled: false })
}

/** What development tries out. Names that nothing has are told and left out; a value that cannot be is refused. */
function readConfigVariable(text: string | undefined): Config | undefined {
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
  const problems = problemsWith(value as Config)
  for (const { path, reason, unknown } of problems) {
    if (!unknown) continue
    console.warn(`CONFIG: ${path.join('.')}: ${reason} (ignored)`)
    const parent = path.slice(0, -1).reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], value)
    delete (parent as Record<string, unknown>)[path.at(-1)!]
  }
  refuse(
    problems.filter(({ unknown }) => !unknown),
    'CONFIG: ',
  )
  return value as Config
}

/** Whatever a configuration names that there is not, or gives a value that cannot be, at any depth. */
function problemsWith(config: Config): Problem[] {
  const schemas = new Map<string, () => z.ZodType>(knownOptions.map(({ name, schema }) => [name, schema]))
  for (const [name, schema] of Object.entries(ownSchemas)) schemas.set(name, () => schema)
  return Object.entries(config).flatMap(([name, value]) => {
    const schema = schemas.get(name)
    if (!schema) return unknownName([name], [...schemas.keys()])
    return value === undefined ? [] : problemsOf(schema(), value, [name])
  })
}

/** @throws ConfigurationError with one line for each problem */
function refuse(problems: Problem[], where = ''): void {
  const [first, ...more] = problems.map(({ path, reason }) => ({ setting: `${where}${path.join('.')}`, reason }))
  if (!first) return
  const others = more.map(({ setting, reason }) => `\n${setting}: ${reason}`)
  throw new ConfigurationError(first.setting, first.reason + others.join(''))
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
