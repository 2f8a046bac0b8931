import type { PublicConfiguration } from './contract.ts'
import { brandStyle, ownPageTexts } from './features/public-config/brand/brand.ts'
import { isPreview, mailOfPreview, withPreviewedBrand } from './features/public-config/brand/preview.ts'
import { slotElements } from './features/public-config/brand/slots.ts'
import { publicConfig } from './features/public-config/public-config.ts'
import { knownAccountsCookie, knownAccountsOptions } from './features/session/known-accounts/known-accounts.config.ts'
import { answerRequest } from './http/answer-request.ts'
import type { Opening } from './http/open-scope.ts'
import { appPage, type PageParts } from './http/pages/app-page.ts'
import { firstScreen } from './http/pages/first-screen.ts'
import { page } from './http/pages/page.ts'
import { screenAt } from './http/pages/screens.ts'
import type { Scope } from './identity/scope.ts'
import { readSessionToken } from './identity/sessions/session-cookies.ts'
import type { Brand } from './kit/brand.ts'
import type { KnownAccount } from './kit/known-account.ts'
import type { Language } from './kit/language.ts'

/** Loads and writes one mail of every kind. */
export type EveryMail = (
  language: Language,
  brand: Brand,
  options: Scope['options'],
) => Promise<Readonly<Record<string, { html: string }>>>

/**
 * The app's page, in the frames of the page "Brand" with a brand that is tried out.
 * @param isServed whether the app has no screens below the path @returns null for a path without a page
 */
export async function answerPage(opening: Opening, isServed: boolean, everyMail: EveryMail): Promise<Response | null> {
  const { runtime, request, path } = opening
  const url = new URL(request.url)
  const preview = isPreview(runtime, request, url)
  if (isServed && !preview) return null
  const shown = preview ? withPreviewedBrand(runtime, url) : runtime
  if ('problems' in shown) return new Response(shown.problems.join('\n'), { status: 400 })
  const mail = preview ? mailOfPreview(url) : null
  if (mail !== null) return mailPage(shown, url, mail, everyMail)
  await runtime.loader.load(['publicConfiguration', 'contentSources'])
  return answerRequest({ ...opening, runtime: shown }, (scope) =>
    appPage(scope, path, async () => ({ ...(await pageParts(scope, url)), preview })),
  )
}

/** A mail with the brand of the query, for a frame. */
async function mailPage(
  { brand, options }: Opening['runtime'],
  url: URL,
  name: string,
  everyMail: EveryMail,
): Promise<Response> {
  const language = brand.languages.find((one) => one === url.searchParams.get('language')) ?? 'en'
  const mail = (await everyMail(language, brand, options))[name]
  if (!mail) return new Response('Not Found', { status: 404 })
  return page(mail.html, 200, brand.logo === null ? [] : [brand.logo.light, brand.logo.dark], false, true)
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
    beside: slotElements(scope),
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
