import { use } from 'react'
import { errorSentence, errorSentences } from '../../worker/kit/error-sentences.ts'
import { type Words, withOwn, wordsFor } from '../../worker/kit/texts.ts'
import { resolved } from '../lib/resolved.ts'
import { type Language, useLanguage, useOwnWords } from '../lib/texts/texts.ts'

/** The texts of the Worker's own pages. */
const files = import.meta.glob<Words>('../../worker/languages/*/pages.json', { import: 'default' })

const loaded = new Map<Language, Promise<Words>>()

function load(language: Language): Promise<Words> {
  const words = loaded.get(language) ?? files[`../../worker/languages/${language}/pages.json`]?.().catch(() => ({}))
  loaded.set(language, words ?? Promise.resolve({}))
  return loaded.get(language)!
}

/** The texts of a language that are loaded already. */
export function setSentences(language: Language, words: Words): void {
  loaded.set(language, resolved(words))
}

/** The sentence for a code of `?error=`, as on the error page of the Worker. */
export function useErrorSentence(code: string): string {
  const words = withOwn(use(load(useLanguage())), useOwnWords()) as Words
  return errorSentence(code, wordsFor(errorSentences, words))
}
