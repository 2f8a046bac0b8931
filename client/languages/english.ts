import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { type CompleteLanguage, languages } from '../../worker/kit/language.ts'
import { type TextGroup, textProblems } from '../../worker/kit/text-problems.ts'

// English is in the code, next to the screens. This reads it from the source, for the build, the tests and translators.

export { type TextGroup, textProblems }

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
function literal(node: Node, where: string): TextGroup[string] {
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

function collect(node: unknown, found: TextGroup, file: string): void {
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
export function englishTexts(side: Side): TextGroup {
  const { folder: root, skipped } = sides[side]
  const found: TextGroup = {}
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !skipped.test(file))
    .sort()
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8')
    if (/define(Texts|Mail)[(<]/.test(code)) collect(parseSync(file, code).program, found, file)
  }
  return found
}

/** A folder for each language, with the four files that `sides` names. */
export const folderOfLanguages = join(import.meta.dirname, '../../worker/languages')

/** The files of a language in one, or some of them. */
export function wordsOf(language: CompleteLanguage, side: Side, parts = sides[side].parts): TextGroup {
  const files = parts.map((part) => join(folderOfLanguages, language, `${part}.json`))
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8'))))
}

export const translations = Object.keys(languages).filter((language) => language !== 'en') as Exclude<
  CompleteLanguage,
  'en'
>[]

/** What is missing, unknown or different in the files of all languages: one line each. */
export const allProblems = (): string[] =>
  (['client', 'worker'] as const).flatMap((side) => {
    const english = englishTexts(side)
    return translations.flatMap((language) => textProblems(language, wordsOf(language, side), english))
  })
