import type { Env } from '../platform/env.ts'
import { lockedOrigin, offeredOrigin } from '../platform/locked-origin.ts'
import { logger } from '../platform/log.ts'

/** A deployment at its public origin: built once per isolate and origin. */
export interface Places<T> {
  /** Before the first request: with options that do not depend on the origin. */
  first: T
  /** The one for a request. @returns null if the origin of the deployment is not known yet */
  of(request: Request): Promise<T | null>
  /** The one for work without a request: the cron trigger, a queue, another Worker. */
  known(): Promise<T | null>
}

/** A browser may use several addresses of a development server; each is built once. */
const maxInDevelopment = 10

/**
 * Finds the public origin of a deployment. With BASE_URL it is that. Without it, it is the requested origin in
 * development, and in production the one that D1 has locked.
 * @param build builds the deployment at an origin; without one, at BASE_URL
 */
export function placesOf<T>(env: Env, build: (baseUrl?: string) => T): Places<T> {
  // Also without BASE_URL: an invalid configuration must not start.
  const first = build()
  if (env.BASE_URL) return { first, of: async () => first, known: async () => first }
  return { first, ...(env.ENVIRONMENT === 'development' ? requested(first, build) : locked(env, build)) }
}

function requested<T>(first: T, build: (baseUrl: string) => T): Omit<Places<T>, 'first'> {
  const built = new Map<string, T>()
  let latest = first
  return {
    async of(request) {
      const { origin } = new URL(request.url)
      if (!built.has(origin) && built.size >= maxInDevelopment) built.delete(built.keys().next().value!)
      latest = built.get(origin) ?? build(origin)
      built.set(origin, latest)
      return latest
    },
    known: async () => latest,
  }
}

function locked<T>(env: Env, build: (baseUrl: string) => T): Omit<Places<T>, 'first'> {
  let place: T | null = null
  const find = async (offered: string | null): Promise<T | null> => {
    if (place) return place
    const origin = await lockedOrigin(env.DB, offered, new Date())
    if (origin === null) return null
    if (origin === offered)
      logger('')('warn', 'base-url-taken', { origin, advice: 'set BASE_URL to it, or to another origin' })
    return (place ??= build(origin))
  }
  return { of: (request) => find(offeredOrigin(request)), known: () => find(null) }
}
