import { earlyRequests, firstFrame } from '../client/app/first-frame.ts'
import { type FirstScreen, firstErrorScreen, firstScreen } from '../client/app/first-screen.ts'
import type { PublicConfiguration } from './contract.ts'
import { brandStyle, pageTexts } from './features/brand/brand.ts'
import { isPreview, previewedOptions, withPreviewedBrand } from './features/brand/preview.ts'
import { publicConfig } from './features/public-config/public-config.ts'
import { isTrustedTarget } from './http/edge/trusted-origin.ts'
import type { Feature } from './http/feature.ts'
import type { PageParts } from './http/pages/app-page.ts'
import { screenAt } from './http/pages/screens.ts'
import type { Scope } from './identity/scope.ts'
import { readSessionToken } from './identity/sessions/session-cookies.ts'
import { errorSentences } from './kit/error-sentences.ts'
import { isRelativePath } from './kit/urls.ts'
import { textsIn } from './languages/texts.ts'

/** /dev/brand, in development. */
export const brandPreview = { isAsked: isPreview, runtimeFor: withPreviewedBrand, options: previewedOptions }

/** The inputs of the page for this request. */
export async function pageParts(scope: Scope, url: string, features: readonly Feature[]): Promise<PageParts> {
  const config = publicConfig(scope) as PublicConfiguration
  const address = new URL(url)
  const hasSession = readSessionToken(scope) !== null
  const screen = hasSession ? screenAt(address.pathname) : null
  return {
    features,
    config,
    texts: pageTexts(scope),
    style: brandStyle(scope),
    requests: screen === null ? [] : earlyRequests(config, screen),
    first: firstFor(scope, address, config, hasSession),
  }
}

/**
 * A user with a session gets the frame of the screen, and a visitor the sign-in form. With an error, an application's
 * request or an untrusted target the app's own screen shows more than the form.
 */
function firstFor(
  scope: Scope,
  { pathname, searchParams }: URL,
  config: PublicConfiguration,
  hasSession: boolean,
): FirstScreen | null {
  const { language } = scope
  const own = scope.brand.texts
  if (pathname === '/error') {
    const error = searchParams.get('error') ?? ''
    return firstErrorScreen(
      { config, language, own },
      {
        error,
        hasSession,
        sentences: textsIn(errorSentences, language, own),
      },
    )
  }
  if (hasSession) return firstFrame({ config, language, own }, screenAt(pathname) ?? '')
  const saysMore = searchParams.has('error') || searchParams.has('client_id')
  if (pathname !== '/sign-in' || saysMore) return null
  const callbackURL = searchParams.get('callbackURL')
  if (!callbackURL) return firstScreen({ config, language, own, host: null, query: '' })
  if (!isTrustedTarget(scope.settings, callbackURL)) return null
  const target = isRelativePath(callbackURL) ? null : new URL(callbackURL)
  const host = target && target.origin !== scope.settings.baseUrl ? target.host : null
  return firstScreen({
    config,
    language,
    own,
    host,
    query: `?callbackURL=${encodeURIComponent(callbackURL)}`,
  })
}
