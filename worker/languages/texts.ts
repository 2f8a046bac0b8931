import type { Language } from '../kit/language.ts'
import { type Dictionary, type OwnTexts, type Words, withOwn, wordsFor } from '../kit/texts.ts'
import { files } from './files.generated.ts'

// The texts of mails, text messages and pages without scripts. English is in the code, next to its use.

const loaded = new Map<Language, Words>([['en', {}]])

/** Loads the texts of a language, before `textsIn`. A language of the configuration has no others. */
export async function loadLanguage(language: Language): Promise<void> {
  if (loaded.has(language) || !Object.hasOwn(files, language)) return
  const [mails, pages] = await Promise.all(files[language]!())
  loaded.set(language, { ...mails.default, ...pages.default })
}

/** The texts of the Worker's pages alone. */
export const loadPages = async (language: Language): Promise<Words> =>
  Object.hasOwn(files, language) ? (await files[language]!()[1]).default : {}

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
