// Texts for users as data: the same form in the app, in mails, in the files of languages and in configurations.

import { directionOf } from './language.ts'

/**
 * The forms of a text by its value `count` (Unicode CLDR, plural rules). `zero` is for the number 0 in every language;
 * a missing form is `other`.
 */
export interface Plural {
  zero?: string
  one?: string
  two?: string
  few?: string
  many?: string
  other: string
}

export type Value = string | number
export type TextValues = Readonly<Record<string, Value>>

const formatted = (value: Value, language: string) =>
  typeof value === 'number' ? value.toLocaleString(language) : together(value, language)

/** Its first letter is written from left to right, and it has other characters: digits, full stops, brackets. */
const isMixed = /^(?=\P{L}*(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L})(?=.*[^\p{L}\p{M}\s])/su

/**
 * A value in a text from right to left, such as `Chrome 131 (macOS)`: isolated (UAX 9, FSI and PDI), or its brackets and
 * numbers would go to the other side. The address of a link stays as it is, because programs recognize it.
 */
const together = (value: string, language: string): string =>
  directionOf(language) === 'rtl' && isMixed.test(value) && !/^https?:/.test(value) ? `\u2068${value}\u2069` : value

/**
 * A text with its values: `{email}` is replaced by `values.email`. Numbers are formatted.
 * @param language BCP 47
 */
export function fill(text: string | Plural, values: TextValues, language: string): string {
  const chosen = typeof text === 'string' ? text : formOf(text, Number(values.count), language)
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : formatted(value, language)
  })
}

function formOf(forms: Plural, count: number, language: string): string {
  if (count === 0 && forms.zero !== undefined) return forms.zero
  return forms[new Intl.PluralRules(language).select(count)] ?? forms.other
}

const categories = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

export const isPlural = (value: object): value is Plural =>
  'other' in value && Object.keys(value).every((key) => categories.has(key))

/** The names of the values, in the order in which the text names them first. */
export const valueNames = (text: string | Plural): string[] => [
  ...new Set(
    [...(typeof text === 'string' ? text : Object.values(text).sort().join()).matchAll(/\{(\w+)\}/g)].map(
      ([, name]) => name!,
    ),
  ),
]

/** The English texts of a part of the product. Files of the other languages have the same keys under the same name. */
export interface Dictionary<T> {
  readonly name: string
  readonly english: T
}

export const defineTexts = <T extends object>(name: string, english: T): Dictionary<T> => ({ name, english })

/** The texts of a language: dictionaries by name. */
export type Words = Readonly<Record<string, unknown>>

export const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** A dictionary in the language of `words`; English replaces what is missing. Values are not filled in. */
export const wordsFor = <T extends object>({ name, english }: Dictionary<T>, words: Words): T =>
  merged(english, words[name]) as T

function merged(english: unknown, other: unknown): unknown {
  if (!isGroup(english) || isPlural(english)) return other ?? english
  const group = isGroup(other) ? other : {}
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, merged(text, group[key])]))
}

/** Texts of the configuration (`brand.texts`): words by language. */
export type OwnTexts = Readonly<Record<string, Words>>

/** Texts in which those of the configuration replace others. */
export function withOwn(words: unknown, own: unknown): unknown {
  if (own === undefined) return words
  if (!isGroup(words) || !isGroup(own) || isPlural(words) || isPlural(own)) return own
  return {
    ...words,
    ...Object.fromEntries(Object.entries(own).map(([key, text]) => [key, withOwn(words[key], text)])),
  }
}
