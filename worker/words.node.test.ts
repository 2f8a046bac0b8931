import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/experimental'
import { expect, it } from 'vitest'

/** Plain technical English in comments, names, documents and messages for operators. Texts for users are not checked. */
const phrases = [
  'whoever',
  'somebody',
  'nobody',
  'is told',
  'are told',
  'tells?',
  'stands?',
  'is none',
  'are none',
  'there (?:is|are) not',
  'by itself',
  'by themselves',
  'anew',
  'besides',
  'all the same',
  'whosever',
  'whomever',
  'whichever',
  'anybody',
  'everybody',
  'for good',
  'all that is',
  'no more than that',
  'speaks? of',
  'goes by',
  'comes by',
  'vouch(?:es)? for',
  'told apart',
  'what has to',
  'has to hold',
  'in the clear',
  'in good time',
  'stays good',
  'who asks',
  'became of',
  'an account anywhere',
]
const phrase = new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'gi')
const name = /^(?:tell[A-Z]|tell$|maybe|most[A-Z]|longest|enough|rightly|hopeless|nobody|whoever|somebody)/

const root = join(import.meta.dirname, '..')
const files = globSync(['worker/**/*.ts', 'client/**/*.{ts,tsx}', '{worker,client}/**/*.md', 'README.md'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/*.generated.ts', 'worker/words.node.test.ts'],
})

/** Files whose texts are printed for operators and developers. */
const isPrinted = (file: string) =>
  /^worker\/(?:cli|configuration|scripts)\/|\.(?:config|contract|errors)\.ts$|option-schema\.ts$/.test(file)

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

interface Found {
  at: number
  text: string
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child)
  }
}

const phrasesIn = (text: string, start: number): Found[] =>
  [...text.matchAll(phrase)].map((match) => ({ at: start + match.index, text: match[0] }))

function inSource(file: string, text: string): Found[] {
  const { program, comments } = parseSync(file, text)
  const nodes = [...nodesIn(program as unknown as Node)]
  const names = nodes
    .filter(({ type }) => type === 'Identifier')
    .flatMap(({ name: text, start }) => (name.test(String(text)) ? [{ at: start, text: String(text) }] : []))
  const printed = isPrinted(file)
    ? nodes.flatMap(({ type, value, start }) => {
        if (type === 'Literal' && typeof value === 'string') return phrasesIn(value, start)
        return type === 'TemplateElement' ? phrasesIn((value as { raw: string }).raw, start) : []
      })
    : []
  return [...comments.flatMap(({ value, start }) => phrasesIn(value, start + 2)), ...names, ...printed]
}

/** The text of a document without its code. */
const inDocument = (text: string): Found[] =>
  phrasesIn(
    text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, ' ')),
    0,
  )

it('comments, names and documents avoid the words that need a translation', () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return (file.endsWith('.md') ? inDocument(text) : inSource(file, text)).map(
      ({ at, text: word }) => `${file}:${text.slice(0, at).split('\n').length}: ${word}`,
    )
  })
  expect(found).toEqual([])
})
