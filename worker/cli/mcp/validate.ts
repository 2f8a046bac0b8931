import { type Config, ConfigurationError, readConfig } from '../../configuration/read-config.ts'
import { isPlain } from '../../kit/options.ts'
import type { Env } from '../../platform/env.ts'

/** Values in place of variables and secrets, which a validation does not know. Variables for development are absent. */
const values = (environment: string): Record<string, string | undefined> => ({
  ENVIRONMENT: environment,
  BASE_URL: environment === 'production' ? 'https://accounts.example.com' : 'http://localhost:8787',
  GATEHOUSE_PREVIOUS_SECRETS: undefined,
  RATE_LIMIT: undefined,
  TESTING: undefined,
  ADMIN_EMAILS: undefined,
  CONFIG: undefined,
  ERROR_LOG: undefined,
  SMTP_PORT: '465',
})

/** Every other variable counts as set: only the configuration is judged. */
const anyEnvironment = (environment: string): Env => {
  const known = values(environment)
  return new Proxy({} as Env, {
    get: (_, name) =>
      typeof name === 'string' && name in known ? known[name] : 'in-place-of-a-secret-0123456789-0123456789',
  })
}

/** The errors of a configuration at start, one line each. @param given the object, or its JSON */
export function validateConfiguration(given: object | string, environment: 'production' | 'development'): string {
  const configuration = typeof given === 'string' ? parsed(given) : given
  if (configuration === null) {
    return 'The configuration is not a JSON object. Pass the object of gatehouse({ … }) as JSON, without functions, such as {"appName":"Acme"}; source code is not run.'
  }
  try {
    readConfig(configuration as Config, anyEnvironment(environment))
    return `The configuration is valid in ${environment}. Variables and secrets were not checked.`
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return `The Worker does not start:\n${thrown.message}`
    throw thrown
  }
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return isPlain(value) ? value : null
  } catch {
    return null
  }
}
