import type { Language } from '../../kit/language.ts'
import { appPaths } from './app-paths.generated.ts'

// An address without a parameter comes first, as in the app's routes: `/admin/users/new` is not a user.
const screens = appPaths
  .toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
  .map((path) => [path, new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)] as const)

/** The screen at an address, as the app's routes name it, such as `/admin/users/:id`. */
export const screenAt = (path: string): string | null => screens.find(([, pattern]) => pattern.test(path))?.[0] ?? null

/** The list that the build writes into the page (client/vite.config.ts): the scripts of each screen and language. */
interface Scripts {
  visitor: Record<string, string[]>
  member: Record<string, string[]>
  /** Of what visitors read, and under `de member` of the rest. */
  languages: Record<string, string[]>
}

/** The build's text does not change while an isolate lives, so it is parsed once. */
const parsed = new Map<string, Scripts>()

function parseScripts(text: string): Scripts {
  const known = parsed.get(text)
  if (known) return known
  const scripts = JSON.parse(text) as Scripts
  parsed.clear()
  parsed.set(text, scripts)
  return scripts
}

/** The screens of an address. Without a session, a screen for members redirects to the sign-in. */
function screensToCome({ screen, hasSession }: Visit, { member }: Scripts): string[] {
  if (screen === '/') return ['/', hasSession ? '/account/profile' : '/sign-in']
  if (screen !== null && Object.hasOwn(member, screen) && !hasSession) return ['/sign-in']
  return screen === null ? [] : [screen]
}

/** The inputs that select the scripts of a page. */
export interface Visit {
  screen: string | null
  hasSession: boolean
  language: Language
}

/** Replaces the build's list of scripts by preloads of those of the screen, to spare sequential round trips. */
export class ModulePreloads implements HTMLRewriterElementContentHandlers {
  #list = ''
  constructor(private readonly visit: Visit) {}
  element(script: Element): void {
    script.removeAndKeepContent()
  }
  text(chunk: Text): void {
    this.#list += chunk.text
    if (chunk.lastInTextNode) chunk.replace(this.#preloads(parseScripts(this.#list)), { html: true })
    else chunk.remove()
  }
  #preloads(scripts: Scripts): string {
    const { language } = this.visit
    const screens = screensToCome(this.visit, scripts)
    const files = [
      ...screens.flatMap((path) => scripts.visitor[path] ?? scripts.member[path] ?? []),
      ...(scripts.languages[language] ?? []),
      ...(screens.some((path) => path in scripts.member) ? (scripts.languages[`${language} member`] ?? []) : []),
    ]
    return [...new Set(files)].map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('')
  }
}
