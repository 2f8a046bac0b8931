import type { Counter } from './durable/counter.ts'
import type { OneTimeRecord } from './durable/one-time.ts'

/** The bindings, variables and secrets of wrangler.toml and `.dev.vars`. */
export interface Env {
  DB: D1Database
  KV: KVNamespace
  ONE_TIME: DurableObjectNamespace<OneTimeRecord>
  COUNTER: DurableObjectNamespace<Counter>
  ASSETS: Fetcher
  /** Cloudflare's `send_email` binding; only where the mail transport is `cloudflare`. */
  EMAIL?: SendEmail
  /** `production` unless it is exactly `development`. */
  ENVIRONMENT?: string
  /** The origin that people see, for links in mails. In development it defaults to the address that was asked. */
  BASE_URL?: string
  /** At least 32 characters. Signs cookies, and every stored secret is sealed under keys derived from it. */
  GATEHOUSE_SECRET?: string
  /** Secrets that were in force before, comma-separated: still accepted, no longer used to sign or seal. */
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
  /** Of the billing provider: an organization's access token, and what its webhooks are signed with. */
  POLAR_ACCESS_TOKEN?: string
  POLAR_WEBHOOK_SECRET?: string
  /** Development only: `off` turns limits per address off. Budgets per account stay. */
  RATE_LIMIT?: string
  /** Development only: addresses of people who become administrators, comma-separated. */
  ADMIN_EMAILS?: string
  /** Development only: JSON laid over worker/config.ts. */
  CONFIG?: string
}

/** The same for functions of a configuration, which know bindings and secrets of their own. */
// biome-ignore lint/suspicious/noExplicitAny: only the configuration knows what they are
export type AnyEnv = Env & Readonly<Record<string, any>>
