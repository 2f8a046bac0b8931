import type { Env } from '../platform/env.ts'
import { ConfigurationError } from './read-config.ts'

const required = {
  DB: 'a D1 database',
  KV: 'a KV namespace',
  ONE_TIME: 'the Durable Object OneTimeRecord',
  COUNTER: 'the Durable Object Counter',
  ENDED_SESSIONS: 'the Durable Object EndedSessions',
  LIVE: 'the Durable Object LiveChannel',
  ASSETS: 'the static assets of the app',
} as const satisfies Partial<Record<keyof Env, string>>

/**
 * Checks the bindings before the first request: without one, requests would fail or lose mails later.
 * @throws ConfigurationError with one line for each missing binding
 */
export function requireBindings(env: Env): void {
  const lines = Object.entries(required)
    .filter(([name]) => !env[name as keyof typeof required])
    .map(([name, what]) => [name, `is missing; bind ${what} in wrangler.toml`] as const)
  const [first, ...others] = lines
  if (!first) return
  throw new ConfigurationError(first[0], [first[1], ...others.map((line) => line.join(': '))].join('\n'))
}
