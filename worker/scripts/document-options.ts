// The comments of settings in the declarations of the package: the compiler prints the types of schemas without them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/experimental'
import { root } from './tools.ts'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The rows of guides/options.md: meaning, unit and default by path. */
function explained(): Map<string, string[]> {
  const guide = readFileSync(join(root, 'worker/guides/options.md'), 'utf8')
  const rows = guide
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  return new Map(
    rows.map(([, path, , value, unit, meaning]) => [
      path!.replaceAll('`', ''),
      [
        meaning!.replaceAll('\\|', '|').replaceAll('*/', '*\\/'),
        ...(unit ? [`Unit: ${unit === 's' ? 'seconds' : 'milliseconds'}.`] : []),
        ...(value ? [`@default ${value}`] : []),
      ],
    ]),
  )
}

const comment = (lines: string[], indent: string) =>
  lines.length === 1
    ? `/** ${lines[0]} */\n${indent}`
    : `/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n${indent}`

/** The properties of a type with their paths, as guides/options.md writes them. */
function* membersOf(type: Node, path: string): Generator<[string, Node]> {
  if (type.type === 'TSTypeLiteral') {
    for (const member of type.members as Node[]) {
      if (member.type !== 'TSPropertySignature') continue
      const key = member.key as Node
      const inner = `${path}.${String(key.name ?? key.value)}`
      yield [inner, member]
      const annotation = (member.typeAnnotation as Node | null)?.typeAnnotation
      if (isNode(annotation)) yield* membersOf(annotation, inner)
    }
  } else if (type.type === 'TSUnionType') {
    for (const one of type.types as Node[]) yield* membersOf(one, path)
  } else if (type.type === 'TSArrayType') {
    yield* membersOf(type.elementType as Node, `${path}[]`)
  } else if (type.type === 'TSTypeOperator' || type.type === 'TSParenthesizedType') {
    yield* membersOf(type.typeAnnotation as Node, path)
  } else if (type.type === 'TSTypeReference') {
    const given = ((type.typeArguments as Node | null)?.params ?? []) as Node[]
    if ((type.typeName as Node).name === 'Record' && given[1]) yield* membersOf(given[1], `${path}.<name>`)
  }
}

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child)
  }
}

/** The inputs of all options, and the options of every provider, in the text of declarations. */
function* settingsIn(text: string): Generator<[string, Node]> {
  for (const node of nodesIn(parseSync('index.d.ts', text).program as unknown as Node)) {
    if (node.type === 'TSTypeReference' && (node.typeName as Node).name === 'Options') {
      const [name, , input] = ((node.typeArguments as Node | null)?.params ?? []) as Node[]
      const literal = name?.literal as { value?: unknown } | undefined
      if (typeof literal?.value === 'string' && input) yield* membersOf(input, literal.value)
    }
    if (node.type === 'TSTypeAliasDeclaration' && (node.id as Node).name === 'ProviderOptions') {
      yield* membersOf(node.typeAnnotation as Node, 'socialProviders.<provider>')
    }
  }
}

/** Adds the comments of settings, with unit and default. @throws Error if a documented setting has no declaration */
function withComments(text: string): string {
  const texts = explained()
  const missing = new Set(
    // Interfaces with comments of their own declare these.
    [...texts.keys()].filter(
      (path) =>
        path.includes('.') &&
        !/^(socialProviders\.\w|hooks\.|(mail|text)\.templates\.|.*\.label\.en$|account\.passwordHash\.)/.test(path),
    ),
  )
  const places: [number, string[]][] = []
  for (const [path, { start }] of settingsIn(text)) {
    const lines = texts.get(path) ?? texts.get(path.replace(/^genericOAuth\[\]/, 'socialProviders.<provider>'))
    missing.delete(path)
    if (lines) places.push([start, lines])
  }
  if (missing.size > 0) throw new Error(`not in the declarations: ${[...missing].join(', ')}`)
  return places
    .sort(([a], [b]) => b - a)
    .reduce((all, [start, lines]) => {
      const indent = /[ \t]*$/.exec(all.slice(0, start))![0]
      return all.slice(0, start) + comment(lines, indent) + all.slice(start)
    }, text)
}

const nameOf = (member: Node) => String((member.key as Node).name)

/** Spells out each `Retyped<typeof options, Changes>`: an editor shows no comments through a mapped type. */
function withoutMappedTypes(text: string): string {
  const nodes = [...nodesIn(parseSync('index.d.ts', text).program as unknown as Node)]
  const referencesTo = (name: string) =>
    nodes
      .filter((node) => node.type === 'TSTypeReference' && (node.typeName as Node).name === name)
      .map((node) => ({ node, given: ((node.typeArguments as Node | null)?.params ?? []) as Node[] }))
  const inputs = new Map<string, Node>()
  for (const node of nodes) {
    if (node.type !== 'VariableDeclarator') continue
    const options = referencesTo('Options').find(({ node: one }) => node.start < one.start && one.end <= node.end)
    const literal = options && [...nodesIn(options.given[2]!)].find(({ type }) => type === 'TSTypeLiteral')
    if (literal) inputs.set(String((node.id as Node).name), literal)
  }
  let result = text
  for (const { node, given } of referencesTo('Retyped').toReversed()) {
    const [queried, changes] = given
    if (queried?.type !== 'TSTypeQuery') continue
    const input = inputs.get(String((queried.exprName as Node).name))
    if (!input) throw new Error(`no options ${text.slice(queried.start, queried.end)}`)
    const changed = new Map((changes!.members as Node[]).map((member) => [nameOf(member), member]))
    let end = input.start + 1
    const members = (input.members as Node[]).map((member) => {
      const before = text.slice(end, member.start)
      const { start, end: stop } = changed.get(nameOf(member)) ?? member
      end = member.end
      return `${before}${text.slice(start, stop).replace(/;?$/, ';')}`
    })
    result = `${result.slice(0, node.start)}{${members.join('')}\n}${result.slice(node.end)}`
  }
  return result
}

/** Declarations whose settings have comments with meaning, unit and default, which editors show. */
export const documentOptions = (text: string): string => withoutMappedTypes(withComments(text))
