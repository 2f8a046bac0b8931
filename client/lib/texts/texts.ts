import { use } from 'react'
import { directionOf, type Language, languageFor, languages } from '../../../worker/kit/language.ts'
import type { AuthError } from '../auth/types.ts'
import { givenReason } from '../ban-reason.ts'
import { deployment } from '../deployment.ts'
import { given } from '../given.ts'
import { resolved } from '../resolved.ts'
import { createStore, remembered } from '../store.ts'
import { coreTexts } from './core.ts'
import { type Dictionary, defineTexts, type TextsOf, textsOf, type Words } from './define.ts'

export { type Dictionary, defineTexts, type Language, type TextsOf }

export type Texts = TextsOf<typeof coreTexts.english>

/** English is in the code. A language has two files: what visitors read, and the rest. */
const files = import.meta.glob<Words>('../../../worker/languages/*/{visitor,member}.json', { import: 'default' })
type Part = 'visitor' | 'member'

/** Without the file, such as without a connection, the texts are English. */
async function load(language: Language, part: Part): Promise<Words> {
  const file = files[`../../../worker/languages/${language}/${part}.json`]
  return (await file?.().catch(() => null)) ?? {}
}

async function loadOwn(language: Language): Promise<Words> {
  const { texts } = given
  if (!texts?.languages.includes(language)) return {}
  if (texts.language === language) return texts.words
  const answer = await fetch(`${deployment.api}/texts?language=${encodeURIComponent(language)}`).catch(() => null)
  return answer?.ok ? ((await answer.json()) as Words) : {}
}

/** Each language by its own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  ...Object.fromEntries((given.texts?.languages ?? []).map((tag) => [tag, ownNameOf(tag)])),
  ...languages,
}

function ownNameOf(tag: Language): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

interface Current {
  language: Language
  words: Words
  /** Of the configuration. */
  own: Words
  /** Adds the texts of the member part. Started once a screen needs them. */
  rest: Promise<Words> | null
}

const current = createStore<Current>({ language: 'en', words: {}, own: {}, rest: null })

const inWords = new WeakMap<Words, Map<Dictionary<object>, object>>()

/** The texts of a dictionary, in which those of the core are, too, resolved once for each language. */
function withCore(dictionary: Dictionary<object>, { language, words, own }: Omit<Current, 'rest'>): object {
  const known = inWords.get(words) ?? new Map<Dictionary<object>, object>()
  inWords.set(words, known)
  const found = known.get(dictionary)
  if (found) return found
  const core = dictionary === coreTexts ? {} : withCore(coreTexts, { language, words, own })
  const texts = { ...core, ...textsOf(dictionary, language, words, own) }
  known.set(dictionary, texts)
  return texts
}

/** Waits (Suspense) for a dictionary of the member part. */
function useWords({ name }: Dictionary<object>): Words {
  const { language, words, rest } = current.use()
  if (language === 'en' || name in words) return words
  return use(rest ?? startRest())
}

function startRest(): Promise<Words> {
  const state = current.get()
  state.rest ??= load(state.language, 'member').then((member) => {
    const words = { ...state.words, ...member }
    if (current.get() === state) current.set({ ...state, words })
    return words
  })
  return state.rest
}

/** The core texts, and those of a feature, which replace core texts of the same name: `const t = useTexts(profileTexts)`. */
export function useTexts(): Texts
export function useTexts<T extends object>(dictionary: Dictionary<T>): Omit<Texts, keyof T> & TextsOf<T>
export function useTexts(dictionary: Dictionary<object> = coreTexts) {
  const words = useWords(dictionary)
  const { language, own } = current.use()
  return withCore(dictionary, { language, words, own })
}

/** A function for the texts of any dictionary, such as those of a list of features. */
export function useEveryText(): <T extends object>(dictionary: Dictionary<T>) => TextsOf<T> {
  const { language, words, own, rest } = current.use()
  const all = language === 'en' ? words : use(rest ?? startRest())
  return (dictionary) => textsOf(dictionary, language, all, own)
}

/** The texts of the configuration, for those that are not in the dictionaries of the app. */
export const useOwnWords = (): Words => current.use().own

export const useLanguage = (): Language => current.use().language

/** Sets the language of all screens with all their texts, and with those of the configuration. */
export const setWords = (language: Language, words: Words, own: Words): void =>
  current.set({ language, words, own, rest: resolved(words) })

/** Sets the language of all screens. @param chosen in place of the texts of the configuration */
export async function showLanguage(language: Language, chosen?: Words): Promise<void> {
  const { rest } = current.get()
  const [visitor, member, own] = await Promise.all([
    load(language, 'visitor'),
    rest && load(language, 'member'),
    chosen ?? loadOwn(language),
  ])
  const words = { ...visitor, ...member }
  current.set({ language, words, own, rest: rest && Promise.resolve(words) })
}

/** Sets the language of all screens and of the document. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

export function rememberLanguage(language: Language): Promise<void> {
  remembered.set('language', language)
  return chooseLanguage(language)
}

/** The stored language, else the first supported one of the browser, else English. */
export function startLanguage(): Promise<void> {
  const wishes = [remembered.get('language') ?? '', ...navigator.languages]
  const supported = Object.keys(languageNames)
  return chooseLanguage(wishes.map((wish) => languageFor(wish, supported)).find((known) => known !== undefined) ?? 'en')
}

/**
 * The message for an error: of the feature, of the core texts, or by its status. Each code of ours has words, so that one without is of a
 * hook of the product: its message is for users. The server answers UNAUTHORIZED for an expired session.
 */
export function messageOf(error: AuthError, texts: Texts, own?: Record<string, string>): string {
  const code = error.code ?? ''
  const known = own?.[code] ?? (texts.errors as Record<string, string>)[code]
  if (known && code === 'BANNED_USER') return [known, ...banDetails(error, texts)].join(' ')
  if (known) return known
  if (error.status === 0) return texts.noConnection
  if (error.status === 401 && (code === '' || code === 'UNAUTHORIZED')) return texts.errors.UNAUTHORIZED
  if (error.status === 429) return texts.errors.TOO_MANY_REQUESTS
  if (error.status === 503) return texts.errors.UNAVAILABLE
  if (error.status >= 500) return texts.errors.INTERNAL_SERVER_ERROR
  if (error.message && code !== '') return error.message
  if (error.status === 403) return texts.errors.FORBIDDEN
  return texts.errors.INTERNAL_SERVER_ERROR
}

/** The reason and the end of a ban. The server returns them only after a correct password. */
function banDetails({ banReason, banExpires }: AuthError, texts: Texts): string[] {
  const given = givenReason(banReason)
  const reason = given ? [texts.banReason(given)] : []
  const moment = new Date(banExpires as string)
  return banExpires
    ? [
        ...reason,
        texts.banExpires(moment.toLocaleString(current.get().language, { dateStyle: 'long', timeStyle: 'short' })),
      ]
    : reason
}
