import type { CompleteLanguage, Language } from '../kit/language.ts'
import { type Dictionary, type OwnTexts, type Words, withOwn, wordsFor } from '../kit/texts.ts'
import arMails from './ar/mails.json'
import arPages from './ar/pages.json'
import deMails from './de/mails.json'
import dePages from './de/pages.json'
import esMails from './es/mails.json'
import esPages from './es/pages.json'
import frMails from './fr/mails.json'
import frPages from './fr/pages.json'
import itMails from './it/mails.json'
import itPages from './it/pages.json'
import jaMails from './ja/mails.json'
import jaPages from './ja/pages.json'
import ptBRMails from './pt-BR/mails.json'
import ptBRPages from './pt-BR/pages.json'
import zhCNMails from './zh-CN/mails.json'
import zhCNPages from './zh-CN/pages.json'

// The texts of mails, text messages and pages without scripts. English is in the code, next to its use.

const complete: Record<CompleteLanguage, Words> = {
  en: {},
  de: { ...deMails, ...dePages },
  fr: { ...frMails, ...frPages },
  es: { ...esMails, ...esPages },
  'pt-BR': { ...ptBRMails, ...ptBRPages },
  it: { ...itMails, ...itPages },
  ja: { ...jaMails, ...jaPages },
  'zh-CN': { ...zhCNMails, ...zhCNPages },
  ar: { ...arMails, ...arPages },
}

const known = new WeakMap<OwnTexts, Map<string, object>>()

/**
 * A dictionary in a language. Values are not filled in: kit/texts.ts, `fill`.
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
  const words = Object.hasOwn(complete, language) ? complete[language as CompleteLanguage] : {}
  return withOwn(words, own[language]) as Words
}
