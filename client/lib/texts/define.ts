import {
  type Dictionary,
  fill,
  isGroup,
  isPlural,
  type Plural,
  type Value,
  valueNames,
  type Words,
  withOwn,
} from '../../../worker/kit/texts.ts'

export type { Dictionary, Words }

// Uses neither React nor the browser: the Worker writes the first screen with the same texts.

/**
 * `{name}` in a text is a value: such a text becomes a function of its values, in the order in which English names
 * them. A text with several forms (`{ one, other }`) becomes a function, too; its value `count` selects the form.
 */
export function defineTexts<const T extends object>(name: string, english: T): Dictionary<T> {
  return { name, english }
}

/** A value for each different name. */
type ValuesOf<S extends string, Seen extends string = never> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends Seen
    ? ValuesOf<Rest, Seen>
    : [Value, ...ValuesOf<Rest, Seen | Name>]
  : []

type Filled<S extends string> = ValuesOf<S> extends [] ? string : (...values: ValuesOf<S>) => string

/** What a screen works with: strings, and functions of values. */
export type TextsOf<T> = T extends string
  ? string extends T
    ? string
    : Filled<T>
  : T extends { other: infer Other extends string }
    ? keyof T extends keyof Plural
      ? Filled<Other>
      : { readonly [Key in keyof T]: TextsOf<T[Key]> }
    : T extends object
      ? { readonly [Key in keyof T]: TextsOf<T[Key]> }
      : T

/**
 * @param words of `language`; English replaces what is missing
 * @param own of the configuration (`brand.texts`), in place of others
 */
export function textsOf<T extends object>(
  { name, english }: Dictionary<T>,
  language: string,
  words: Words,
  own: Words = {},
): TextsOf<T> {
  return translated(english, withOwn(words[name], own[name]), language) as TextsOf<T>
}

function translated(english: unknown, other: unknown, language: string): unknown {
  if (typeof english === 'string' || (isGroup(english) && isPlural(english))) {
    const names = valueNames(typeof english === 'string' ? english : english.other)
    const [text, spoken] = isText(other) ? [other, language] : [english, 'en']
    if (names.length === 0) return text
    return (...values: Value[]) =>
      fill(text, Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])), spoken)
  }
  if (!isGroup(english)) return english
  const group = isGroup(other) ? other : {}
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, translated(text, group[key], language)]))
}

const isText = (value: unknown): value is string | Plural =>
  typeof value === 'string' || (isGroup(value) && isPlural(value))
