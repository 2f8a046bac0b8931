import type { PublicConfiguration } from './contract.ts'
import { brandStyle, ownPageTexts } from './features/public-config/brand/brand.ts'
import { isPreview, withPreviewedBrand } from './features/public-config/brand/preview.ts'
import { publicConfig } from './features/public-config/public-config.ts'
import { knownAccountsCookie, knownAccountsOptions } from './features/session/known-accounts/known-accounts.config.ts'
import { answerRequest } from './http/answer-request.ts'
import type { Opening } from './http/open-scope.ts'
import { appPage, type PageParts } from './http/pages/app-page.ts'
import { firstScreen } from './http/pages/first-screen.ts'
import { screenAt } from './http/pages/screens.ts'
import type { Scope } from './identity/scope.ts'
import { readSessionToken } from './identity/sessions/session-cookies.ts'
import type { KnownAccount } from './kit/known-account.ts'

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
  await runtime.loader.load(['publicConfiguration', 'contentSources'])
  return answerRequest({ ...opening, runtime: shown }, (scope) =>
    appPage(scope, path, async () => ({ ...(await pageParts(scope, url)), preview })),
  )
}

/** The inputs of the page for this request. */
async function pageParts(scope: Scope, url: URL): Promise<PageParts> {
  const config = publicConfig(scope) as PublicConfiguration
  const hasSession = readSessionToken(scope) !== null
  const path = screenAt(url.pathname)
  const texts = ownPageTexts(scope)
  // Without a session, other screens lead to the sign-in.
  const known = hasSession ? [] : await knownAccountsOf(scope)
  const asked = { search: url.search, hasSession, config, own: texts?.words ?? {}, known }
  return {
    config,
    texts,
    style: brandStyle(scope),
    known,
    first: path === null ? null : await firstScreen(scope, { ...asked, path }),
  }
}

async function knownAccountsOf(scope: Scope): Promise<KnownAccount[]> {
  if (!knownAccountsOptions.of(scope).enabled || scope.response.cookies.get(knownAccountsCookie) === undefined)
    return []
  const { knownAccounts } = await import('./features/session/known-accounts/known-accounts.ts')
  return knownAccounts(scope)
}
