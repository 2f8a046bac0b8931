import type { Language } from '../../kit/language.ts'
import { appPaths } from './app-paths.generated.ts'

const screens = appPaths.map((path) => [path, new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)] as const)

/** The screen at an address, as the app's routes name it, such as `/admin/users/:id`; null where there is none. */
export const screenAt = (path: string): string | null => screens.find(([, pattern]) => pattern.test(path))?.[0] ?? null

/** What the app's build left in the page (client/vite.config.ts): the scripts of each screen, and of each language. */
interface Scripts {
  visitor: Record<string, string[]>
  member: Record<string, string[]>
  languages: Partial<Record<Language, string[]>>
}

const left = /<script id="scripts" type="application\/json">(.*?)<\/script>/s

/** The build's text does not change while an isolate lives, so it is read once. */
const read = new Map<string, Scripts>()

function scriptsIn(text: string): Scripts {
  const known = read.get(text)
  if (known) return known
  const scripts = JSON.parse(text) as Scripts
  read.clear()
  read.set(text, scripts)
  return scripts
}

/** Which screens somebody will see at an address: without a session a member's page leads to the sign-in. */
function screensToCome(screen: string | null, { member }: Scripts, hasSession: boolean): string[] {
  if (screen === '/') return ['/', hasSession ? '/account/profile' : '/sign-in']
  if (screen !== null && Object.hasOwn(member, screen) && !hasSession) return ['/sign-in']
  return screen === null ? [] : [screen]
}

/**
 * Has the browser ask for the scripts of the screen that it will show together with those of the page itself, not one
 * after the other as each is found to be wanted: that is a round trip every time.
 * @param page as the build left it
 */
export function askForScripts(
  page: string,
  { screen, hasSession, language }: { screen: string | null; hasSession: boolean; language: Language },
): string {
  return page.replace(left, (_, text: string) => {
    const scripts = scriptsIn(text)
    const files = [
      ...screensToCome(screen, scripts, hasSession).flatMap(
        (path) => scripts.visitor[path] ?? scripts.member[path] ?? [],
      ),
      ...(scripts.languages[language] ?? []),
    ]
    return [...new Set(files)].map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('')
  })
}
