import type { Env } from './env.ts'

/** Those that D1, KV, R2, queues and Durable Objects have (guides/operate.md, "Where the data is"). */
export const jurisdictions = ['eu', 'us', 'fedramp'] as const

export type Jurisdiction = (typeof jurisdictions)[number]

const classes = ['ONE_TIME', 'COUNTER', 'ENDED_SESSIONS', 'LIVE'] as const

const restricted = new WeakMap<Env, Env>()

/**
 * The bindings with Durable Objects of a jurisdiction. The same name is another object in each, so that all code has to
 * use these. On a development machine, where workerd has no jurisdictions, the bindings are as they are.
 */
export function inJurisdiction(
  env: Env,
  { jurisdiction, environment }: { jurisdiction: Jurisdiction | null; environment: string },
): Env {
  if (jurisdiction === null || environment === 'development') return env
  const known = restricted.get(env)
  if (known) return known
  const objects = Object.fromEntries(classes.map((name) => [name, env[name].jurisdiction(jurisdiction)]))
  const made = { ...env, ...objects } as Env
  restricted.set(env, made)
  return made
}
