import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { type Language, languages } from '../../worker/kit/language.ts'
import { isPlural, type Plural, valueNames } from '../../worker/kit/texts.ts'

// English is in the code, next to the screens. This reads it from the source, for the build, the tests and translators.

/** Texts by key, nested as in the source; null for a key without a text. */
export interface Group {
  [key: string]: Group | Plural | string | null
}

/** What reads which texts: the app, and the Worker's mails, text messages and pages. */
const sides = {
  client: {
    folder: join(import.meta.dirname, '..'),
    parts: ['visitor', 'member'],
    skipped: /^(e2e|languages)\/|\.test\.ts$/,
  },
  worker: {
    folder: join(import.meta.dirname, '../../worker'),
    parts: ['mails', 'pages'],
    skipped: /^(testing|bench|scripts)\/|node_modules|\.test\.ts$/,
  },
}
export type Side = keyof typeof sides

type Node = { type: string } & Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The value of an object literal of texts. */
function literal(node: Node, where: string): Group[string] {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    return literal(node.expression as Node, where)
  if (node.type === 'Literal') return node.value as string | null
  if (node.type === 'ObjectExpression') {
    return Object.fromEntries(
      (node.properties as Node[]).map((property) => {
        const { key, value } = property as unknown as { key: { name?: string; value?: string }; value: Node }
        const name = key.name ?? String(key.value)
        return [name, literal(value, `${where}.${name}`)]
      }),
    )
  }
  throw new Error(`${where} is not a text, but ${node.type}: texts are data`)
}

function collect(node: unknown, found: Group, file: string): void {
  if (Array.isArray(node)) for (const one of node) collect(one, found, file)
  if (!isNode(node)) return
  if (
    node.type === 'CallExpression' &&
    ['defineTexts', 'defineMail'].includes(String((node.callee as { name?: string }).name))
  ) {
    const [name, texts] = node.arguments as Node[]
    const { value: key } = name as unknown as { value?: string }
    // The definition of such a function passes its parameters on.
    if (key === undefined) return
    if (key in found) throw new Error(`${file}: there are two dictionaries with the name ${key}`)
    found[key] = literal(texts!, `${file} ${key}`)
    return
  }
  for (const child of Object.values(node)) collect(child, found, file)
}

/** Every dictionary by its name. */
export function englishTexts(side: Side): Group {
  const { folder: root, skipped } = sides[side]
  const found: Group = {}
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !skipped.test(file))
    .sort()
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8')
    if (/define(Texts|Mail)[(<]/.test(code)) collect(parseSync(file, code).program, found, file)
  }
  return found
}

/** The files of a language in one. */
export function wordsOf(language: Language, side: Side): Group {
  const { folder, parts } = sides[side]
  const files = parts.map((part) => join(folder, 'languages', language, `${part}.json`))
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8'))))
}

export const translations = Object.keys(languages).filter((language) => language !== 'en') as Exclude<Language, 'en'>[]

const isGroup = (value: unknown): value is Group => typeof value === 'object' && value !== null && !isPlural(value)

/** What is missing, unknown or different in the files of all languages: one line each. */
export const allProblems = (): string[] =>
  (['client', 'worker'] as const).flatMap((side) => {
    const english = englishTexts(side)
    return translations.flatMap((language) => problemsOf(language, wordsOf(language, side), english))
  })

/** What is missing, unknown or different in the words of a language: one line each. */
export function problemsOf(language: string, words: Group, english: Group, path: readonly string[] = []): string[] {
  const keys = new Set([...Object.keys(english), ...Object.keys(words)])
  return [...keys].flatMap((key) => {
    const place = [...path, key]
    const [text, other] = [english[key], words[key]]
    const say = (what: string) => [`${language}: ${place.join('.')} ${what}`]
    if (text === undefined) return say('does not exist in English')
    if (text === null) return other === null ? [] : say('is null')
    if (isGroup(text)) return isGroup(other) ? problemsOf(language, other, text, place) : say('is missing')
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
