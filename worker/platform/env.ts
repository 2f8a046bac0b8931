import type { Counter } from './durable/counter.ts'
import type { EndedSessions } from './durable/ended-sessions.ts'
import type { LiveChannel } from './durable/live-channel.ts'
import type { OneTimeRecord } from './durable/one-time.ts'

/** The bindings, variables and secrets of wrangler.toml and `.dev.vars`. */
export interface Env {
  DB: D1Database
  KV: KVNamespace
  ONE_TIME: DurableObjectNamespace<OneTimeRecord>
  COUNTER: DurableObjectNamespace<Counter>
  ENDED_SESSIONS: DurableObjectNamespace<EndedSessions>
  LIVE: DurableObjectNamespace<LiveChannel>
  ASSETS: Fetcher
  /** A bucket of R2 for old records of the audit log (guides/audit.md). Without it they remain in D1, for 90 days by default. */
  ARCHIVE?: R2Bucket
  /** A queue for jobs after the response (guides/operate.md). Without it the cron trigger runs them. */
  JOBS?: Queue<{ jobs: readonly string[] }>
  /** A data set of Analytics Engine for requests that change something or fail (guides/operate.md). */
  AUTH_EVENTS?: AnalyticsEngineDataset
  /** Cloudflare's `send_email` binding; required for the mail transport `cloudflare`. */
  EMAIL?: SendEmail
  /** `production` unless it is exactly `development`. */
  ENVIRONMENT?: string
  /** The public origin, for links in mails. In development it defaults to the requested address. */
  BASE_URL?: string
  /** At least 32 characters. Signs cookies, and every stored secret is sealed under keys derived from it. */
  GATEHOUSE_SECRET?: string
  /** Earlier secrets, comma-separated: accepted, but not used to sign or seal. */
  GATEHOUSE_PREVIOUS_SECRETS?: string
  SMTP_HOST?: string
  SMTP_PORT?: string
  SMTP_USER?: string
  SMTP_PASSWORD?: string
  /** `re_...` */
  RESEND_API_KEY?: string
  /** Of the Postmark server, not of the account. */
  POSTMARK_SERVER_TOKEN?: string
  /** The secret key of the captcha provider. */
  CAPTCHA_SECRET_KEY?: string
  /** For the billing provider: the access token of an organization, and the secret of its webhook signatures. */
  POLAR_ACCESS_TOKEN?: string
  POLAR_WEBHOOK_SECRET?: string
  /** Development only: `off` disables limits per address. Budgets per account remain. */
  RATE_LIMIT?: string
  /** Development only: `on` opens /dev/testing, for gatehouse-auth/testing, and disables limits per address. */
  TESTING?: string
  /** Development only: addresses of users who become administrators, comma-separated. */
  ADMIN_EMAILS?: string
  /** Development only: where errors of requests are reported. `gatehouse-auth dev` sets it. */
  ERROR_LOG?: string
  /** Development only: JSON that overrides the configuration. */
  CONFIG?: string
}

/** For functions of a configuration without types of its own bindings and secrets. */
// biome-ignore lint/suspicious/noExplicitAny: only the configuration knows what they are
export type AnyEnv = Env & Readonly<Record<string, any>>

/**
 * The bindings and secrets for the functions of a configuration. @template Own those of the product, by default as
 * `wrangler types` declares them
 */
export type EnvOf<Own = Cloudflare.Env> = keyof Own extends never ? AnyEnv : Env & Own

/** A secret of the Worker by name. */
export const secretOf = (env: Env, name: string): string | undefined => {
  const value = (env as unknown as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}
