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
  'stands?(?! out)',
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
/** "A string is no number", across the line breaks of comments. "There is no session" and "is no longer" are English. */
const negatedNoun = /(?<!\bthere )\b(?:is|are)[\s*/]+no[\s*/]+(?!longer\b|more than\b|less than\b)[a-z]+/gi
const person = /\b(?:the|a|another|that|its|acting|invited)[\s*/]+person\b/gi
const name = /^(?:tell[A-Z]|tell$|maybe|most[A-Z]|longest|enough|rightly|hopeless|nobody|whoever|somebody)/

const root = join(import.meta.dirname, '..')
const files = globSync(['worker/**/*.ts', 'client/**/*.{ts,tsx}', '{worker,client}/**/*.md', '{README,.github/*}.md'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/*.generated.ts', 'worker/words.node.test.ts'],
})

/** Files whose strings are data of tests: only the titles of their tests are checked. */
const isTest = (file: string) =>
  /\.(?:test|e2e|cases)\.tsx?$|^worker\/(?:testing|bench|checks)\/|^client\/e2e\//.test(file)

interface Node {
  type: string
  start: number
  end: number
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

/** The name at the start of a callee: `it` of `it.each(rows)(…)`. */
function calleeName(node: Node): unknown {
  const inner = node.callee ?? node.object
  return isNode(inner) ? calleeName(inner) : node.name
}

const isCallOf = (node: Node, names: RegExp) => node.type === 'CallExpression' && names.test(String(calleeName(node)))

/** Titles of tests; elsewhere every string except the English texts for users, which are translated. */
function stringsIn(file: string, nodes: readonly Node[]): Node[] {
  const isIn = (node: Node) => (part: Node) => part.start <= node.start && node.end <= part.end
  const strings = nodes.filter(({ type, value }) =>
    type === 'Literal' ? typeof value === 'string' : type === 'TemplateElement' || type === 'JSXText',
  )
  if (!isTest(file)) {
    const texts = nodes.filter((node) => isCallOf(node, /^define(?:Texts|Mail)$/))
    return strings.filter((node) => !texts.some(isIn(node)))
  }
  const titles = nodes
    .filter((node) => isCallOf(node, /^(?:it|test|describe)$/))
    .flatMap((node) => (node.arguments as Node[]).slice(0, 1))
    .filter(({ type }) => type === 'Literal' || type === 'TemplateLiteral')
  return strings.filter((node) => titles.some(isIn(node)))
}

const phrasesIn = (text: string, start: number): Found[] =>
  [phrase, negatedNoun, person]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map((match) => ({ at: start + match.index, text: match[0] }))

function inSource(file: string, text: string): Found[] {
  const { program, comments } = parseSync(file, text)
  const nodes = [...nodesIn(program as unknown as Node)]
  const names = nodes
    .filter(({ type }) => type === 'Identifier')
    .flatMap(({ name: text, start }) => (name.test(String(text)) ? [{ at: start, text: String(text) }] : []))
  const strings = stringsIn(file, nodes).flatMap(({ value, start }) =>
    phrasesIn(typeof value === 'string' ? value : (value as { raw: string }).raw, start),
  )
  return [...comments.flatMap(({ value, start }) => phrasesIn(value, start + 2)), ...names, ...strings]
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

it.each([
  ['a.ts', "throw new Error('a string is no number')", ['is no number']],
  ['a.ts', '/**\n * The values are\n * no numbers.\n */', ['are\n * no numbers']],
  ['a.ts', 'const a = `names the person`', ['the person']],
  ['a.tsx', 'const a = <p>It stands here</p>', ['stands']],
  ['a.ts', "'there is no session, and it is no longer needed'", []],
  ['a.ts', "const texts = defineTexts('a', { ask: 'Ask the person who invited you.' })", []],
  [
    'a.test.ts',
    "it.each(['nobody'])('a body that is no JSON: %s', () => expect(a).toBe('the person'))",
    ['is no JSON'],
  ],
])('finds the words: %s: %s', (file, text, words) => {
  expect(inSource(file, text).map((found) => found.text)).toEqual(words)
})
