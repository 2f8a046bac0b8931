import { type Config, type Configuration, ConfigurationError, readConfig } from '../../configuration/read-config.ts'
import { captchaOptions } from '../../features/captcha/captcha.config.ts'
import { customProviderOptions } from '../../features/social/custom-providers.config.ts'
import { providers } from '../../features/social/providers/providers.ts'
import { socialProviderOptions } from '../../features/social/social-providers.config.ts'
import { textOptions } from '../../identity/messages/messages.config.ts'
import { providerVariable } from '../../kit/provider-variable.ts'
import type { Env } from '../../platform/env.ts'
import { twilioSettings } from '../../platform/texter/twilio.ts'
import type { CallTarget } from '../account.ts'
import { readProduct } from '../product.ts'
import { secretCommand } from '../wrangler.ts'
import { type Table, tablesIn, type WranglerConfig } from '../wrangler-config.ts'
import { type Check, note, ok, problem } from './check.ts'

/** The configuration of the product with the variables of a deployment. */
export interface ProductReport {
  checks: Check[]
  /** null if it cannot be read. */
  configuration: Configuration | null
}

/**
 * Reads the configuration and reports its errors and missing secrets.
 * @param variables variables and secrets by name; a secret whose value is unknown is `true`
 * @param setSecret how the place gets a secret
 */
export async function productChecks(
  file: WranglerConfig,
  place: CallTarget,
  variables: Readonly<Record<string, string | true>>,
  setSecret: SetSecret,
): Promise<ProductReport> {
  const env = { ...valuesOf(variables), ...bindingsOf(file) }
  const product = await readProduct(place, env)
  if ('problem' in product) {
    return { checks: [problem('configuration', product.problem, fixOf(product.problem))], configuration: null }
  }
  const { config } = product
  if (!config) {
    const text = `${file.values.main} does not call gatehouse(...) of gatehouse-auth, so its settings are not checked`
    return { checks: [note('configuration', text)], configuration: null }
  }
  const { configuration, missing, error } = judge(config, env, setSecret)
  const checks = [...missing]
  if (error) checks.push(problem(error.setting, reasonOf(error), 'correct the setting in the entry module'))
  else if (missing.length === 0) checks.push(ok('configuration', 'all settings are valid'))
  return { checks, configuration: error ? null : configuration }
}

/** The next step after an error of the bundler or of the entry module. */
function fixOf(message: string): string {
  const [, classes] = /Durable Objects, which are not exported in your entrypoint file: ([\w, ]+)/.exec(message) ?? []
  if (classes) return `add to the entry module: export { ${classes} } from 'gatehouse-auth'`
  return 'correct the entry module; npx wrangler deploy --dry-run shows errors of imports'
}

/** Values for secrets that only the Worker can read. Each is valid for every kind of secret that has a form. */
const unknownValue = (name: string): string =>
  name === 'SMTP_PORT' ? '465' : `whsec_${Buffer.alloc(48, name).toString('base64')}`

const valuesOf = (variables: Readonly<Record<string, string | true>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value === true ? unknownValue(name) : value]),
  )

/** The bindings of the file; the configuration asks only whether they exist. */
export function bindingsOf({ values }: WranglerConfig): Record<string, object> {
  const named = [
    ...tablesIn(values, 'd1_databases').map(({ binding }) => binding),
    ...tablesIn(values, 'kv_namespaces').map(({ binding }) => binding),
    ...tablesIn(values, 'r2_buckets').map(({ binding }) => binding),
    ...tablesIn(values, 'durable_objects', 'bindings').map(({ name }) => name),
    ...tablesIn(values, 'send_email').map(({ name }) => name),
    ...tablesIn(values, 'queues', 'producers').map(({ binding }) => binding),
    (values.assets as Table | undefined)?.binding,
  ]
  return Object.fromEntries(named.filter((name) => typeof name === 'string').map((name) => [name, {}]))
}

const assumedOrigin = 'https://base-url.test'

interface Judgement {
  configuration: Configuration | null
  missing: Check[]
  error: ConfigurationError | null
}

/**
 * Reads the configuration as the Worker does. A missing secret is reported and then assumed, so that one run names all of
 * them.
 */
function judge(config: Config, env: Record<string, unknown>, setSecret: SetSecret): Judgement {
  const missing: Check[] = []
  const assumed: Record<string, unknown> = { ...env }
  for (;;) {
    try {
      return { configuration: readConfig(config, assumed as unknown as Env), missing, error: null }
    } catch (thrown) {
      if (!(thrown instanceof ConfigurationError)) throw thrown
      const { setting } = thrown
      // The check of the file reports it; the other settings are read with another origin.
      if (setting === 'BASE_URL' && assumed.BASE_URL !== assumedOrigin) {
        assumed.BASE_URL = assumedOrigin
        continue
      }
      if (!isSecret(setting) || assumed[setting] !== undefined) return { configuration: null, missing, error: thrown }
      missing.push(problem(setting, reasonOf(thrown), fixOfMissing(setting, setSecret)))
      assumed[setting] = setting === 'EMAIL' ? {} : unknownValue(setting)
    }
  }
}

const reasonOf = ({ setting, message }: ConfigurationError): string => message.slice(setting.length + 2)

const isSecret = (setting: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(setting) && setting !== 'BASE_URL'

/** The line or the command with which a place gets a secret. */
export type SetSecret = (name: string) => string

/** On a development machine. */
export const setInDevelopment: SetSecret = (name) => `add to .dev.vars: ${name}=…`

/** At Cloudflare. */
export const setAt =
  (place: CallTarget): SetSecret =>
  (name) =>
    name === 'GATEHOUSE_SECRET' ? 'npx gatehouse-auth deploy generates it' : secretCommand(name, place)

const fixOfMissing = (name: string, setSecret: SetSecret): string =>
  name === 'EMAIL' ? 'add to the configuration file: [[send_email]] with name = "EMAIL"' : setSecret(name)

type Variables = Readonly<Record<string, string | true>>

/** Secrets that the Worker reads when it first needs them. */
export function secretChecks(configuration: Configuration, variables: Variables, setSecret: SetSecret): Check[] {
  const { provider, secretKey } = captchaOptions.of(configuration)
  const late: [isUsed: boolean, names: readonly string[], effect: string][] = [
    [provider !== null && secretKey === '', ['CAPTCHA_SECRET_KEY'], 'every request that needs a captcha is refused'],
    [textOptions.of(configuration).transport === 'twilio', twilioSettings, 'no text message is sent'],
  ]
  return late.flatMap(([isUsed, names, effect]) =>
    names
      .filter((name) => isUsed && !variables[name])
      .map((name) => problem(name, `is not set: ${effect}`, setSecret(name))),
  )
}

/**
 * The callback URL of every configured provider, to register it there; a missing client id is a problem in production.
 */
export function providerChecks(
  configuration: Configuration,
  variables: Variables,
  origin: string,
  setSecret: SetSecret,
): Check[] {
  const judge = configuration.settings.environment === 'development' ? note : problem
  const { settings, options } = configuration
  const deployment = { settings, options }
  const social = socialProviderOptions.of(deployment) as Record<string, Chosen | undefined>
  const builtIn = Object.keys(providers).map((id) => ({ id, chosen: social[id], path: `callback/${id}` }))
  const custom = customProviderOptions
    .of(deployment)
    .map((chosen) => ({ id: chosen.providerId, chosen, path: `oauth2/callback/${chosen.providerId}` }))
  return [...builtIn, ...custom].flatMap(({ id, chosen, path }) => {
    const [clientId, secret] = [providerVariable(id, 'CLIENT_ID'), providerVariable(id, 'CLIENT_SECRET')]
    if (chosen?.enabled === false) return []
    if (!chosen?.clientId && !variables[clientId]) {
      return chosen ? [judge(id, 'has no client id, so its button is not shown', setSecret(clientId))] : []
    }
    const callback = chosen?.redirectURI ?? `${origin}/api/auth/${path}`
    const found = note(id, `register this callback URL at the provider: ${callback}`)
    if (chosen?.clientSecret || variables[secret]) return [found]
    return [found, note(id, `${secret} is not set; most providers need it`, setSecret(secret))]
  })
}

interface Chosen {
  enabled?: boolean
  clientId?: string
  clientSecret?: string
  redirectURI?: string
}
