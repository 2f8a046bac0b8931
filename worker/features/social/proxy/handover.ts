import * as z from 'zod'
import type { Scope } from '../../../identity/scope.ts'
import { basePath } from '../../../identity/settings.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { newId } from '../../../kit/random.ts'
import { minutes, ms } from '../../../kit/time.ts'
import { withQuery } from '../../../kit/urls.ts'
import { oauthProxyOptions } from './proxy.config.ts'

/** Long enough for one redirect. */
const lifetime = minutes(1)

const handover = z.object({
  purpose: z.literal('oauth-proxy'),
  /** Names this handover, which works once. */
  id: z.string(),
  /** The deployment that it is for, and the browser there. */
  origin: z.string(),
  browser: z.string(),
  token: z.string(),
  /** Unix time in milliseconds. */
  expiresAt: z.number(),
})

/** The deployment that comes back to itself from the providers; null where that is this one. */
export function productionOrigin(scope: Scope): string | null {
  const { enabled, productionURL } = oauthProxyOptions.of(scope)
  if (!enabled || !URL.canParse(productionURL)) return null
  const { origin } = new URL(productionURL)
  return origin === scope.settings.baseUrl ? null : origin
}

/** Where the browser takes a session that belongs to another deployment. */
export async function handOver(
  scope: Scope,
  to: { origin: string; browser: string; callbackURL: string },
  token: string,
): Promise<string> {
  const { origin, browser, callbackURL } = to
  const expiresAt = scope.now().getTime() + ms(lifetime)
  const content: z.infer<typeof handover> = { purpose: 'oauth-proxy', id: newId(), origin, browser, token, expiresAt }
  const cookies = await seal(scope.settings.secrets, JSON.stringify(content))
  return withQuery(`${origin}${basePath}/oauth-proxy-callback`, { callbackURL, cookies })
}

/**
 * Takes a session over. It must have been made for this deployment and this browser, a moment ago, and works once.
 * @param browser the mark of this browser; null without one
 * @returns the session's token, or null
 */
export async function takeOver(scope: Scope, sealed: string, browser: string | null): Promise<string | null> {
  let content: z.infer<typeof handover>
  try {
    content = handover.parse(JSON.parse(await open(scope.settings.secrets, sealed)))
  } catch {
    return null
  }
  if (content.origin !== scope.settings.baseUrl || content.browser !== browser) return null
  if (content.expiresAt <= scope.now().getTime()) return null
  const { allowed } = await scope.counters.hit(`oauth-proxy:${content.id}`, { max: 1, window: lifetime })
  return allowed ? content.token : null
}
