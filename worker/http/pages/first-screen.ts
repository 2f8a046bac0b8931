import type { Scope } from '../../identity/scope.ts'
import { BoundedMap } from '../../kit/bounded-map.ts'
import type { FirstScreen, ScreenRequest, ScreenTexts, TextsOfScreens } from '../../kit/first-screen.ts'
import { defaultLanguage } from '../../kit/language.ts'
import type { Words } from '../../kit/texts.ts'
import { loadPages } from '../../languages/texts.ts'
import { reasonOf } from '../../platform/log.ts'
import { isTrustedTarget } from '../edge/trusted-origin.ts'

/** By language, once an isolate: they are files of the build. */
const texts = new BoundedMap<string, ScreenTexts>(30)

/** A language of the configuration has no file: English replaces what is missing. */
async function textsOf(scope: Scope, language: string, all: TextsOfScreens): Promise<ScreenTexts> {
  const known = texts.get(language)
  if (known) return known
  const { visitor, frames } = all[language] ?? all[defaultLanguage]!
  const found = { words: visitor ? await wordsOf(scope, language, visitor) : {}, frames }
  texts.set(language, found)
  return found
}

/** The texts for visitors, a module of JSON (client/shared-words.ts), and those of the Worker's own pages. */
async function wordsOf(scope: Scope, language: string, path: string): Promise<Words> {
  const [answer, pages] = await Promise.all([
    scope.env.ASSETS.fetch(new URL(path, scope.settings.baseUrl)),
    loadPages(language),
  ])
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}`)
  const module = await answer.text()
  return { ...(JSON.parse(module.slice(module.indexOf('{'))) as Words), ...pages }
}

/** Visitors of one deployment see few different screens. */
const rendered = new BoundedMap<string, FirstScreen | null>(100)

/**
 * The screen before a script has run. With an error, an application's request or an untrusted target, the app itself
 * shows more than the form.
 * @returns null for a screen that the app renders alone
 */
export async function firstScreen(
  scope: Scope,
  asked: Omit<ScreenRequest, 'baseUrl' | 'language' | 'texts'>,
): Promise<FirstScreen | null> {
  const { language, settings } = scope
  if (!isRendered(scope, asked)) return null
  const inputs = { ...asked, baseUrl: settings.baseUrl, language }
  const key = JSON.stringify(inputs)
  const known = rendered.get(key)
  if (known !== undefined) return known
  try {
    const { prerender, texts: all } = await import('#prerender')
    const screen = await prerender({ ...inputs, texts: await textsOf(scope, language, all) })
    // What names users is not kept.
    if (asked.search.length < 500 && asked.known.length === 0) rendered.set(key, screen)
    return screen
  } catch (thrown) {
    // The page works without it.
    scope.log('error', 'first_screen_failed', { reason: reasonOf(thrown) })
    return null
  }
}

function isRendered(
  { settings }: Scope,
  { path, search: text, hasSession }: Pick<ScreenRequest, 'path' | 'search' | 'hasSession'>,
): boolean {
  if (path === '/error') return true
  if (path !== '/sign-in' && path !== '/sign-up') return hasSession
  const search = new URLSearchParams(text)
  const callbackURL = search.get('callbackURL')
  return !search.has('error') && !search.has('client_id') && (!callbackURL || isTrustedTarget(settings, callbackURL))
}
