import { type FirstScreen, firstScreen } from '../client/app/first-screen.ts'
import type { PublicConfig } from '../client/lib/auth/endpoints.ts'
import { brandStyle } from './features/brand/brand.ts'
import { publicConfig } from './features/status/status.ts'
import { isTrustedTarget } from './http/edge/trusted-origin.ts'
import type { Feature } from './http/feature.ts'
import type { PageParts } from './http/pages/app-page.ts'
import type { Scope } from './identity/scope.ts'
import { readSessionToken } from './identity/sessions/session-cookies.ts'
import { isRelativePath } from './kit/urls.ts'

/** What this request's page is made with. */
export function pageParts(scope: Scope, url: string, features: readonly Feature[]): PageParts {
  // The client writes down what it knows of the answer; its own tests hold the two together.
  const config = publicConfig(scope) as unknown as PublicConfig
  return { features, config, style: brandStyle(scope), first: firstFor(scope, new URL(url), config) }
}

/**
 * Whoever has a session, comes from a failure or from an application that waits, or would go on to an unknown site does
 * not see the plain form first: theirs says more.
 */
function firstFor(scope: Scope, { pathname, searchParams }: URL, config: PublicConfig): FirstScreen | null {
  const saysMore = searchParams.has('error') || searchParams.has('client_id')
  if (pathname !== '/sign-in' || saysMore || readSessionToken(scope) !== null) return null
  const callbackURL = searchParams.get('callbackURL')
  if (!callbackURL) return firstScreen({ config, language: scope.language, host: null, query: '' })
  if (!isTrustedTarget(scope.settings, callbackURL)) return null
  const target = isRelativePath(callbackURL) ? null : new URL(callbackURL)
  const host = target && target.origin !== scope.settings.baseUrl ? target.host : null
  return firstScreen({
    config,
    language: scope.language,
    host,
    query: `?callbackURL=${encodeURIComponent(callbackURL)}`,
  })
}
