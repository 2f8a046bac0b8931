import * as z from 'zod'
import type { DeploymentFacts, Settings } from '../identity/settings.ts'
import type { AccountTypes, AnyAccounts } from '../kit/account-types.ts'
import { comparedAddress } from '../kit/email-address.ts'
import { minSecretLength } from '../kit/encrypt.ts'
import { howToSet } from '../kit/how-to-set.ts'
import { optionProblems, type Problem, parseOptions, unknownNames } from '../kit/option-problems.ts'
import { isPlain, mergeOptions, type Options } from '../kit/options.ts'
import { originOf } from '../kit/urls.ts'
import type { Env } from '../platform/env.ts'
import { type Jurisdiction, jurisdictions } from '../platform/jurisdiction.ts'
import { defaultOptions } from './defaults.generated.ts'
import { type KnownOptions, knownOptions, type TypedOptions } from './options.ts'

/** A missing, invalid or contradictory setting. Its message begins with its path and names the required change. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  constructor(
    readonly setting: string,
    reason: string,
  ) {
    super(`${setting}: ${reason}`)
  }
}

/** Settings that do not belong to a single feature. */
const general = () => ({
  appName: z.string().default('Gatehouse'),
  profile: z.enum(['compatible', 'strict']).default('compatible'),
  trustedOrigins: z.array(z.string()).default([]),
  jurisdiction: z.enum(jurisdictions).optional(),
})

/**
 * The configuration of a deployment. An omitted option has its default.
 * @template Own the bindings and secrets of the product, by default those that `wrangler types` declares
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export type Config<Own = Cloudflare.Env, P extends AccountTypes = AnyAccounts> = {
  /** The name of the product in mails and screens. @default 'Gatehouse' */
  appName?: string
  /** `strict`: safer where the default of the protocol is less strict. @default 'compatible' */
  profile?: Settings['profile']
  /**
   * Additional origins that may call with cookies and be redirect targets: `https://app.example.com`,
   * `https://*.example.com`.
   */
  trustedOrigins?: string[]
  /**
   * The jurisdiction in which D1, KV, R2 and Durable Objects store the data: the European Union, the United States, or data
   * centers with FedRAMP. Stores get it at their creation, so choose it before the first deployment: `gatehouse init
   * --jurisdiction eu` (guides/operate.md, "Where the data is"). By default Cloudflare chooses the places.
   */
  jurisdiction?: Jurisdiction
} & {
  [O in KnownOptions as Exclude<O['name'], keyof TypedOptions<{ env: Own; product: P }>>]?: O['strict']
} & TypedOptions<{
    env: Own
    product: P
  }>

/** The input of the application. */
export type Configuration = Pick<DeploymentFacts, 'settings' | 'options'>

const developmentOnly = ['RATE_LIMIT', 'TESTING', 'ADMIN_EMAILS', 'CONFIG', 'ERROR_LOG'] as const

const known: readonly Options[] = knownOptions
/** Of a configuration: making the schema of an option takes time, so that only those of the given ones are made. */
function schemaOf(config: object) {
  const given = known.filter(({ name }) => Object.hasOwn(config, name))
  const shape = { ...general(), ...Object.fromEntries(given.map(({ name, schema }) => [name, schema])) }
  const names = { ...shape, ...Object.fromEntries(known.map(({ name }) => [name, true])) }
  return z.strictObject(shape, { error: unknownNames(names) })
}

/**
 * Defaults, strict profile, the configuration of the product, and in development CONFIG, in this order.
 * @param origin the public origin where BASE_URL is not set @throws ConfigurationError
 */
export function readConfig(config: Config, env: Env, origin?: string): Configuration {
  const environment = env.ENVIRONMENT === 'development' ? 'development' : 'production'
  for (const name of environment === 'production' ? developmentOnly : []) {
    if (env[name])
      throw new ConfigurationError(name, 'is for development only; remove it from the production variables')
  }
  const own = parseOptions(schemaOf(Object(config)), config)
  refuse(own.problems)
  const chosen = mergeOptions(config, readConfigVariable(env.CONFIG))
  const stricter = () => Object.fromEntries(known.flatMap(({ name, strict }) => (strict ? [[name, strict]] : [])))
  const whole = chosen.profile === 'strict' ? mergeOptions<object>(stricter(), chosen) : chosen
  // Each isolate waits for it, so that a configuration without additions is not parsed twice.
  const parsed = whole === config ? own.parsed! : schemaOf(whole).parse(whole)
  const { appName, profile, trustedOrigins, jurisdiction = null, ...rest } = parsed
  const options: Record<string, unknown> = { ...defaultOptions, ...rest }
  if (environment === 'development' && (env.RATE_LIMIT === 'off' || env.TESTING === 'on')) {
    options.rateLimit = mergeOptions(options.rateLimit, { enabled: false })
    options.user = mergeOptions(options.user, { signUpsPerNetwork: null })
  }
  const baseUrl = env.BASE_URL ? readBaseUrl(env.BASE_URL, environment) : (origin ?? unknownOrigin[environment])
  const settings: Settings = {
    appName,
    environment,
    baseUrl,
    baseUrlIsTaken: environment === 'production' && !env.BASE_URL,
    secrets: readSecrets(env),
    profile,
    trustedOrigins: readOrigins(trustedOrigins, environment, baseUrl),
    jurisdiction,
    adminEmails: (env.ADMIN_EMAILS ?? '').split(',').map(comparedAddress).filter(Boolean),
  }
  const deployment: DeploymentFacts = { settings, options, env }
  for (const { name, contradictions, complete } of known) {
    const found = contradictions?.(options[name], deployment).find(([applies]) => applies)
    if (found) throw new ConfigurationError(found[1], found[2])
    if (complete) options[name] = complete(options[name], deployment)
  }
  return { settings, options }
}

/** The variable CONFIG, for experiments in development. Unknown names are reported and ignored. */
function readConfigVariable(text: string | undefined): Config | undefined {
  if (!text) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ConfigurationError('CONFIG', 'must be JSON, such as {"session":{"expiresIn":3600}}')
  }
  if (!isPlain(value)) throw new ConfigurationError('CONFIG', 'must be a JSON object')
  const problems = optionProblems(schemaOf(value), value)
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

/** @throws ConfigurationError with one line for each problem */
function refuse(problems: Problem[], where = ''): void {
  const [first, ...more] = problems.map(({ path, reason }) => ({ setting: `${where}${path.join('.')}`, reason }))
  if (!first) return
  const others = more.map(({ setting, reason }) => `\n${setting}: ${reason}`)
  throw new ConfigurationError(first.setting, first.reason + others.join(''))
}

function readSecrets(env: Env): Settings['secrets'] {
  const secret = env.GATEHOUSE_SECRET ?? ''
  if (!secret) throw new ConfigurationError('GATEHOUSE_SECRET', `is missing; ${howToSet('GATEHOUSE_SECRET')}`)
  const previous = (env.GATEHOUSE_PREVIOUS_SECRETS ?? '').split(',').filter(Boolean)
  for (const one of [secret, ...previous]) {
    if (one.length < minSecretLength) {
      const name = one === secret ? 'GATEHOUSE_SECRET' : 'GATEHOUSE_PREVIOUS_SECRETS'
      throw new ConfigurationError(name, `must have at least ${minSecretLength} characters; ${howToSet(name)}`)
    }
  }
  return [secret, ...previous]
}

/** The origin before the first request of a deployment without BASE_URL. In production none has this name. */
const unknownOrigin = { development: 'http://localhost:8787', production: 'https://base-url.invalid' }

function readBaseUrl(text: string, environment: Settings['environment']): string {
  const origin = originOf(text)
  if (origin === null || new URL(text).pathname !== '/') {
    throw new ConfigurationError('BASE_URL', 'must be the public origin, such as https://accounts.example.com')
  }
  // RFC 6761, section 6.4: no host has this name.
  if (new URL(origin).hostname.endsWith('.invalid')) {
    throw new ConfigurationError('BASE_URL', 'is still the placeholder; set it to the public origin of this deployment')
  }
  if (environment === 'production' && !origin.startsWith('https:')) {
    throw new ConfigurationError('BASE_URL', 'must begin with https:// in production')
  }
  return origin
}

function readOrigins(origins: string[], environment: Settings['environment'], baseUrl: string): string[] {
  for (const origin of origins) {
    const probe = origin.replaceAll('*', 'any')
    // A pattern may leave the scheme out; an address without one would match nothing.
    const isComplete = probe.includes('://') || (origin.includes('*') && !/:\d/.test(probe))
    if (
      !isComplete ||
      originOf(probe.includes('://') ? probe : `https://${probe}`) === null ||
      /[^/]\/[^/]/.test(probe)
    ) {
      throw new ConfigurationError(
        'trustedOrigins',
        `${origin} is not an origin; write it like https://app.example.com`,
      )
    }
  }
  if (environment === 'production') return origins
  // A development server has both names of this machine.
  return [...origins, baseUrl.replace('localhost', '127.0.0.1'), baseUrl.replace('127.0.0.1', 'localhost')]
}
