import type { AuthError } from '../auth/types.ts'
import { givenReason } from '../ban-reason.ts'
import { createStore, remembered } from '../store.ts'
import { type Dictionary, defineTexts, type Language, languages } from './define.ts'
import { en, type Texts } from './en.ts'

export { type Dictionary, defineTexts, type Language, languages }

const current = createStore<{ language: Language; core: Texts }>({ language: 'en', core: en })

/** The core words, or a feature's own: `const t = useTexts(profileTexts)`. */
export function useTexts(): Texts
export function useTexts<T>(dictionary: Dictionary<T>): T
export function useTexts<T>(dictionary?: Dictionary<T>): Texts | T {
  const { language, core } = current.use()
  return dictionary ? dictionary[language] : core
}

export const useLanguage = (): Language => current.use().language

/** Changes the language of every screen and of the document, and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  const core = language === 'en' ? en : (await import('./de.ts')).de
  document.documentElement.lang = language
  current.set({ language, core })
}

export function rememberLanguage(language: Language): Promise<void> {
  remembered.set('language', language)
  return chooseLanguage(language)
}

/** Remembered, else the first of the browser's languages that we speak, else English. */
export function startLanguage(): Promise<void> {
  const wishes = [remembered.get('language') ?? '', ...navigator.languages.map((tag) => tag.split('-')[0] ?? '')]
  const known = wishes.find((wish): wish is Language => Object.hasOwn(languages, wish))
  return chooseLanguage(known ?? 'en')
}

/**
 * What a person reads about an error: a feature's own words for its code, ours, the server's, or what the status says.
 * UNAUTHORIZED is the server's answer to a session that has ended.
 */
export function messageOf(error: AuthError, texts: Texts, own?: Record<string, string>): string {
  const code = error.code ?? ''
  const known = own?.[code] ?? (texts.errors as Record<string, string>)[code]
  if (known && code === 'BANNED_USER') return [known, ...banDetails(error, texts)].join(' ')
  if (known) return known
  if (error.status === 0) return texts.noConnection
  if (error.status === 401 && (code === '' || code === 'UNAUTHORIZED')) return texts.sessionEnded
  if (error.status === 429) return texts.tooManyRequests
  if (error.message) return error.message
  if (error.status === 403) return texts.notAllowed
  return texts.serverFailed
}

/** Why somebody is banned, and until when: the server tells it to who gave the right password. */
function banDetails({ banReason, banExpires }: AuthError, texts: Texts): string[] {
  const given = givenReason(banReason)
  const reason = given ? [texts.banReason(given)] : []
  return banExpires ? [...reason, texts.banExpires(new Date(banExpires as string))] : reason
}
