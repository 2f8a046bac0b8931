import { isPlural, type Plural, valueNames } from './texts.ts'

/** Texts by key, nested as in the source; null for a key without a text. */
export interface TextGroup {
  [key: string]: TextGroup | Plural | string | null
}

const isGroup = (value: unknown): value is TextGroup => typeof value === 'object' && value !== null && !isPlural(value)

/**
 * What is missing, unknown or different in the words of a language: one line each.
 * @param partial whether texts may be missing
 */
export function textProblems(
  language: string,
  words: TextGroup,
  english: TextGroup,
  { partial = false, path = [] }: { partial?: boolean; path?: readonly string[] } = {},
): string[] {
  const keys = new Set([...(partial ? [] : Object.keys(english)), ...Object.keys(words)])
  return [...keys].flatMap((key) => {
    const place = [...path, key]
    const [text, other] = [english[key], words[key]]
    const say = (what: string) => [`${language}: ${place.join('.')} ${what}`]
    if (text === undefined) return say('does not exist in English')
    if (text === null) return other === null ? [] : say('is null')
    if (isGroup(text))
      return isGroup(other) ? textProblems(language, other, text, { partial, path: place }) : say('is missing')
    if (other === undefined || other === null || other === '') return say('is missing')
    return isGroup(other) ? say('is one text in English') : problemsOfText(language, other, text).flatMap(say)
  })
}

function problemsOfText(language: string, other: string | Plural, english: string | Plural): string[] {
  if (typeof other !== typeof english)
    return [`has ${typeof english === 'string' ? 'one form' : 'several forms'} in English`]
  // `{Happened}` is `{happened}` with a capital letter, for the start of a sentence.
  const namesIn = (text: string | Plural) => [...new Set(valueNames(text).map((name) => name.toLowerCase()))].sort()
  const wanted = namesIn(english).join(', ')
  const given = namesIn(other).join(', ')
  const values = wanted === given ? [] : [`has the values ${given || 'none'}; English has ${wanted || 'none'}`]
  if (typeof other === 'string') return values
  // `many` is for fractions and millions in some languages, and `other` replaces it.
  const needed = new Intl.PluralRules(language)
    .resolvedOptions()
    .pluralCategories.filter((category) => !(category in other) && (category !== 'many' || language === 'ar'))
  return [...values, ...needed.map((category) => `has no form for "${category}"`)]
}
