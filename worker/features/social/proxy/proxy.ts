import * as z from 'zod'
import { acceptClaim } from '../../../identity/caller.ts'
import type { Scope } from '../../../identity/scope.ts'
import { setSessionCookies } from '../../../identity/sessions/session-cookies.ts'
import { claimByToken } from '../../../identity/sessions/sessions.ts'
import { basePath } from '../../../identity/settings.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { newId } from '../../../kit/random.ts'
import { minutes, ms } from '../../../kit/time.ts'
import { withQuery } from '../../../kit/urls.ts'
import { browserMark } from '../model/state.ts'

/** Sufficient for one redirect. */
const lifetime = minutes(1)

const handover = z.object({
  purpose: z.literal('oauth-proxy'),
  /** A handover is used once. */
  id: z.string(),
  /** The receiving deployment, and the browser that started the sign-in there. */
  origin: z.string(),
  browser: z.string(),
  token: z.string(),
  /** Unix time in milliseconds. */
  expiresAt: z.number(),
})

/** @returns the URL at the deployment that started the sign-in, which takes the session over */
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

/** Sets the session cookies of a handover from the production deployment. @returns false for an invalid or used one */
export async function acceptHandover(scope: Scope, sealed: string): Promise<boolean> {
  const token = await readHandover(scope, sealed)
  const found = token === null ? null : await acceptClaim(scope.db, claimByToken(scope, token, 'bearer'))
  if (found) setSessionCookies(scope, found.session, found.user, true)
  return found !== null
}

/** Uses a handover. @returns the session's token, or null */
async function readHandover(scope: Scope, sealed: string): Promise<string | null> {
  let content: z.infer<typeof handover>
  try {
    content = handover.parse(JSON.parse(await open(scope.settings.secrets, sealed)))
  } catch {
    return null
  }
  if (content.origin !== scope.settings.baseUrl || content.browser !== browserMark(scope)) return null
  if (content.expiresAt <= scope.now().getTime()) return null
  const { allowed } = await scope.counters.hit(`oauth-proxy:${content.id}`, { max: 1, window: lifetime })
  return allowed ? content.token : null
}
