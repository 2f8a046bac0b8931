import type { Scope } from '../../identity/scope.ts'
import { BoundedMap } from '../../kit/bounded-map.ts'
import type { FirstScreen, ScreenRequest, ScreenTexts, TextsOfScreens } from '../../kit/first-screen.ts'
import type { Words } from '../../kit/texts.ts'
import { loadPages } from '../../languages/texts.ts'
import { reasonOf } from '../../platform/log.ts'
import { isTrustedTarget } from '../edge/trusted-origin.ts'

/** By language, for visitors and for members, once an isolate: they are files of the build. */
const texts = new BoundedMap<string, ScreenTexts>(30)

/** English is in the code, and replaces what is missing: a language of the configuration has no file. */
async function textsOf(scope: Scope, isMember: boolean, { frames, files }: TextsOfScreens): Promise<ScreenTexts> {
  const { language } = scope
  const file = files[language]
  if (!file) return { words: {}, frames }
  const key = `${language} ${isMember}`
  const known = texts.get(key)
  if (known) return known
  const [visitor, member, pages] = await Promise.all([
    wordsAt(scope, file.visitor),
    isMember ? wordsAt(scope, file.member) : {},
    loadPages(language),
  ])
  const found = {
    words: { ...visitor, ...pages },
    frames: isMember ? framesIn({ ...visitor, ...member }, frames) : frames,
  }
  texts.set(key, found)
  return found
}

/** A file of texts is a module of JSON (client/shared-words.ts). */
async function wordsAt(scope: Scope, path: string): Promise<Words> {
  const answer = await scope.env.ASSETS.fetch(new URL(path, scope.settings.baseUrl))
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}`)
  const module = await answer.text()
  return JSON.parse(module.slice(module.indexOf('{'))) as Words
}

/** @param frames English, by `dictionary.key` */
const framesIn = (words: Words, frames: ScreenTexts['frames']): ScreenTexts['frames'] =>
  Object.fromEntries(
    Object.entries(frames).map(([name, english]) => {
      const [dictionary = '', key = ''] = name.split('.')
      return [name, (words[dictionary] as Readonly<Record<string, string>> | undefined)?.[key] ?? english]
    }),
  )

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
    const screen = await prerender({ ...inputs, texts: await textsOf(scope, asked.hasSession, all) })
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
  const search = new URLSearchParams(text)
  const callbackURL = search.get('callbackURL')
  // The app takes the callback of a page with a screen as allowed (app/main.tsx), whatever screen it is.
  if (callbackURL && !isTrustedTarget(settings, callbackURL)) return false
  if (path === '/error') return true
  if (path !== '/sign-in' && path !== '/sign-up') return hasSession
  return !search.has('error') && !search.has('client_id')
}
