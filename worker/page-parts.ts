import { earlyRequests, firstFrame } from '../client/app/first-frame.ts'
import { type FirstScreen, firstErrorScreen, firstScreen } from '../client/app/first-screen.ts'
import type { PublicConfiguration } from './contract.ts'
import { brandStyle, pageTexts } from './features/brand/brand.ts'
import { isPreview, withPreviewedBrand } from './features/brand/preview.ts'
import { publicConfig } from './features/public-config/public-config.ts'
import { answerRequest } from './http/answer-request.ts'
import { isTrustedTarget } from './http/edge/trusted-origin.ts'
import { languageOf, type Opening } from './http/open-scope.ts'
import { appPage, type PageParts } from './http/pages/app-page.ts'
import { screenAt } from './http/pages/screens.ts'
import type { Scope } from './identity/scope.ts'
import { readSessionToken } from './identity/sessions/session-cookies.ts'
import { errorSentences } from './kit/error-sentences.ts'
import { isRelativePath } from './kit/urls.ts'
import { loadLanguage, textsIn } from './languages/texts.ts'

/**
 * The app's page, in development also with a brand that is tried out (/dev/brand).
 * @param isServed whether the app has no screens below the path @returns null for a path without a page
 */
export async function answerPage(opening: Opening, isServed: boolean): Promise<Response | null> {
  const { runtime, request, path } = opening
  const url = new URL(request.url)
  const preview = runtime.settings.environment === 'development' && isPreview(url)
  if (isServed && !preview) return null
  const shown = preview ? withPreviewedBrand(runtime, url) : runtime
  if ('problems' in shown) return new Response(shown.problems.join('\n'), { status: 400 })
  await Promise.all([
    runtime.loader.load(['publicConfiguration', 'contentSources']),
    loadLanguage(languageOf(request, shown)),
  ])
  return answerRequest({ ...opening, runtime: shown }, (scope) =>
    appPage(scope, path, async () => ({ ...(await pageParts(scope, request.url)), preview })),
  )
}

/** The inputs of the page for this request. */
async function pageParts(scope: Scope, url: string): Promise<PageParts> {
  const config = publicConfig(scope) as PublicConfiguration
  const address = new URL(url)
  const hasSession = readSessionToken(scope) !== null
  const screen = hasSession ? screenAt(address.pathname) : null
  return {
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
  const own = scope.shared.brand.texts
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
