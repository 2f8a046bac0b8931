import type { CompleteLanguage, Language } from '../kit/language.ts'
import { type Dictionary, type OwnTexts, type Words, withOwn, wordsFor } from '../kit/texts.ts'

// The texts of mails, text messages and pages without scripts. English is in the code, next to its use.

type Json = Promise<{ default: Words }>

/** The files of each language, which load with its first text. */
const files: Record<Exclude<CompleteLanguage, 'en'>, () => [mails: Json, pages: Json]> = {
  de: () => [import('./de/mails.json'), import('./de/pages.json')],
  fr: () => [import('./fr/mails.json'), import('./fr/pages.json')],
  es: () => [import('./es/mails.json'), import('./es/pages.json')],
  'pt-BR': () => [import('./pt-BR/mails.json'), import('./pt-BR/pages.json')],
  it: () => [import('./it/mails.json'), import('./it/pages.json')],
  ja: () => [import('./ja/mails.json'), import('./ja/pages.json')],
  'zh-CN': () => [import('./zh-CN/mails.json'), import('./zh-CN/pages.json')],
  ar: () => [import('./ar/mails.json'), import('./ar/pages.json')],
}

const loaded = new Map<Language, Words>([['en', {}]])

/** Loads the texts of a language, before `textsIn`. A language of the configuration has no others. */
export async function loadLanguage(language: Language): Promise<void> {
  if (loaded.has(language) || !Object.hasOwn(files, language)) return
  const [mails, pages] = await Promise.all(files[language as keyof typeof files]())
  loaded.set(language, { ...mails.default, ...pages.default })
}

const known = new WeakMap<OwnTexts, Map<string, object>>()

/**
 * A dictionary in a language that is loaded. Values are not filled in: kit/texts.ts, `fill`.
 * @param own texts of the configuration (`brand.texts`)
 */
export function textsIn<T extends object>(dictionary: Dictionary<T>, language: Language, own: OwnTexts): T {
  const texts = known.get(own) ?? new Map<string, object>()
  known.set(own, texts)
  const key = `${language} ${dictionary.name}`
  const found = texts.get(key) ?? wordsFor(dictionary, wordsIn(language, own))
  texts.set(key, found)
  return found as T
}

function wordsIn(language: Language, own: OwnTexts): Words {
  const words = loaded.get(language)
  if (!words && Object.hasOwn(files, language)) throw new Error(`the texts of ${language} are not loaded`)
  return withOwn(words ?? {}, own[language]) as Words
}
