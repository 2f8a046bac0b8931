import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/experimental'
import * as z from 'zod'
import { knownOptions } from '../configuration/options.ts'
import { providerOptionsShape } from '../features/social/model/provider.ts'
import { isPlain, parts } from '../kit/options.ts'

/** One setting as the guide shows it. */
export interface Setting {
  /** `session.expiresIn`, `webhooks.endpoints[].url`, `user.additionalFields.<name>.type`. */
  path: string
  type: string
  /** As code, or empty where the setting has none. */
  default: string
  unit: string
  /** The comment of its definition in one line. */
  meaning: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const worker = join(import.meta.dirname, '..')
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** What the source says about a setting: its comment, and the unit of its default. */
interface Told {
  meaning: string
  unit: string
}

/** Interfaces whose members are settings of a name: their schemas are made from lists of names. */
const interfaces: Record<string, string[]> = {
  Hooks: ['hooks'],
  MailData: ['mail.templates'],
  TextData: ['text.templates'],
  AdditionalField: ['user.additionalFields.<name>', 'session.additionalFields.<name>'],
  PasswordHash: ['account.passwordHash'],
}

/** The meaning of settings that many options have, by the last names. */
const common: Record<string, string> = {
  max: 'The maximum number in `window`.',
  window: 'The period of `max`.',
  light: 'In the light theme.',
  dark: 'In the dark theme.',
  'label.en': 'The text for languages without one.',
  'options[].value': 'The stored value.',
  'options[].label': 'Its text in forms: for all languages, or one per language.',
}

/** The comments and units in the files that define options, by `name.path`. */
let sources: Map<string, Told> | undefined
const told = () => (sources ??= readSources())

function readSources(): Map<string, Told> {
  const found = new Map<string, Told>()
  const files = globSync('{features,http,identity,kit}/**/*.ts', {
    cwd: worker,
    exclude: ['**/*.test.ts', '**/*.e2e.ts'],
  })
  for (const file of files) {
    const text = readFileSync(join(worker, file), 'utf8')
    const settings = new RegExp(
      `defineOptions\\(|providerOptionsShape = |defineProvider<|interface (?:${Object.keys(interfaces).join('|')})\\b`,
    )
    if (!settings.test(text)) continue
    const { program, commentBefore } = parsed(file, text)
    const locals = new Map<string, Node>()
    /** The comments of constants in files beside this one. */
    const elsewhere = new Map<Node, (start: number) => string>()
    for (const path of importsBeside(program)) {
      const beside = parsed(path, readFileSync(join(worker, file, '..', path), 'utf8'))
      for (const node of nodesIn(beside.program)) {
        elsewhere.set(node, beside.commentBefore)
        addConstant(locals, node)
      }
    }
    const definitions: [name: string, schema: Node][] = []
    for (const node of nodesIn(program)) {
      addConstant(locals, node)
      if (node.type !== 'CallExpression' || (node.callee as Node).name !== 'defineOptions') continue
      const [name, make] = node.arguments as Node[]
      const schema = make?.body as Node | undefined
      if (typeof name?.value !== 'string' || !schema) continue
      definitions.push([name.value, schema])
      const declaration = text.lastIndexOf('export const', node.start)
      found.set(name.value, { meaning: commentBefore(declaration), unit: '' })
    }
    const shape = locals.get('providerOptionsShape')
    if (shape) definitions.push(['socialProviders.<provider>', shape])
    const members = [...ownOptionsOf(program, file), ...membersOf(program)]
    for (const [name, property] of members) found.set(name, { meaning: commentBefore(property.start), unit: '' })
    for (const [name, schema] of definitions) {
      for (const [path, property] of propertiesOf(schema, locals)) {
        const key = [name, ...path].join('.')
        const meaning = (elsewhere.get(property) ?? commentBefore)(property.start) || (found.get(key)?.meaning ?? '')
        found.set(key, { meaning, unit: unitOf(text, property) })
      }
    }
  }
  return found
}

function parsed(file: string, text: string): { program: Node; commentBefore: (start: number) => string } {
  const { program, comments } = parseSync(file, text)
  const commentBefore = (start: number) => {
    const comment = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '')
    return comment?.type === 'Block' ? plain(comment.value) : ''
  }
  return { program: program as unknown as Node, commentBefore }
}

/** The files in the same folder that a file imports. */
const importsBeside = (program: Node): string[] =>
  (program.body as Node[])
    .filter(({ type }) => type === 'ImportDeclaration')
    .map(({ source }) => String((source as Node).value))
    .filter((path) => /^\.\/[\w.-]+\.ts$/.test(path))

function addConstant(constants: Map<string, Node>, node: Node): void {
  if (node.type === 'VariableDeclarator' && isNode(node.init)) {
    constants.set(String((node.id as Node).name), node.init)
  }
}

/** The members of the interface with the options of one provider; the comments are there. */
function* ownOptionsOf(program: Node, file: string): Generator<[string, Node]> {
  const id = /social\/providers\/(\w+)\.ts$/.exec(file)?.[1]
  if (id === undefined) return
  for (const node of nodesIn(program)) {
    if (node.type !== 'TSInterfaceDeclaration') continue
    for (const member of (node.body as Node).body as Node[]) {
      yield [`socialProviders.${id}.${String((member.key as Node).name)}`, member]
    }
  }
}

/** The members of `interfaces`. */
function* membersOf(program: Node): Generator<[string, Node]> {
  for (const node of nodesIn(program)) {
    if (node.type !== 'TSInterfaceDeclaration') continue
    for (const prefix of interfaces[String((node.id as Node).name)] ?? []) {
      for (const member of (node.body as Node).body as Node[]) {
        yield [`${prefix}.${String((member.key as Node).name)}`, member]
      }
    }
  }
}

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child)
  }
}

/** The properties of the object literals in a schema, also of those that a constant or function of the file names. */
function* propertiesOf(schema: Node, locals: Map<string, Node>, path: string[] = []): Generator<[string[], Node]> {
  if (schema.type === 'ObjectExpression') {
    for (const property of schema.properties as Node[]) {
      if (property.type !== 'Property') continue
      const key = property.key as Node
      const inner = [...path, String(key.name ?? key.value)]
      yield [inner, property]
      yield* propertiesOf(property.value as Node, locals, inner)
    }
  } else if (schema.type === 'CallExpression') {
    const { callee } = schema as unknown as { callee: Node }
    yield* propertiesOf(callee.type === 'MemberExpression' ? (callee.object as Node) : callee, locals, path)
    const method = String((callee.property as Node | undefined)?.name ?? callee.name)
    // The argument of `default` is a value, not a schema.
    if (!['default', 'prefault', 'custom', 'callable', 'refine'].includes(method)) {
      for (const argument of schema.arguments as Node[]) yield* propertiesOf(argument, locals, path)
    }
  } else if (schema.type === 'Identifier' && locals.has(String(schema.name))) {
    yield* propertiesOf(locals.get(String(schema.name))!, new Map([...locals].filter(([n]) => n !== schema.name)), path)
  } else if (schema.type === 'ArrowFunctionExpression' || schema.type === 'ParenthesizedExpression') {
    yield* propertiesOf((schema.body ?? schema.expression) as Node, locals, path)
  } else if (schema.type === 'BlockStatement') {
    for (const { argument } of schema.body as Node[]) if (isNode(argument)) yield* propertiesOf(argument, locals, path)
  } else if (schema.type === 'ArrayExpression') {
    for (const element of schema.elements as Node[]) yield* propertiesOf(element, locals, path)
  }
}

/** The comment without stars and tags, in one line that a table can hold. */
const plain = (comment: string): string =>
  comment
    .replace(/^\*/, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/@default /g, 'Default: ')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim()

/** The unit follows from the function that makes the default; a window of a limit is in seconds. */
function unitOf(text: string, property: Node): string {
  const value = property.value as Node
  const source = text.slice(value.start, value.end)
  if (source.includes('objectOf(') || source.includes('section(')) return ''
  if (/\bms\(/.test(source)) return 'ms'
  return /\b(?:seconds|minutes|hours|days)\(/.test(source) && !/\b(?:limitOf|rate)\(/.test(source) ? 's' : ''
}

/** The schema inside optional, default, nullable and lazy, and whether null is accepted. */
function bare(schema: z.ZodType): { schema: z.ZodType; nullable: boolean } {
  let inner = schema
  let nullable = false
  for (;;) {
    if (inner instanceof z.ZodNullable) nullable = true
    if (inner instanceof z.ZodPipe) inner = inner.in as z.ZodType
    else if ('unwrap' in inner && !(inner instanceof z.ZodArray)) inner = (inner as z.ZodOptional<z.ZodType>).unwrap()
    else return { schema: inner, nullable }
  }
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))

function typeOf(outer: z.ZodType): string {
  const { schema, nullable } = bare(outer)
  return `${nameOf(schema)}${nullable ? ' or null' : ''}`
}

function nameOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return 'text'
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' ? 'integer' : 'number'
  if (schema instanceof z.ZodBoolean) return 'true or false'
  if (schema instanceof z.ZodEnum) return choices(schema.options)
  if (schema instanceof z.ZodLiteral) return choices([...schema.values])
  if (schema instanceof z.ZodArray) return `list of ${typeOf(schema.element as z.ZodType)}`
  if (schema instanceof z.ZodRecord) return `object of ${typeOf(schema.valueType as z.ZodType)}`
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.map((one) => typeOf(one as z.ZodType)))].join(' or ')
  if (schema instanceof z.ZodObject) return 'object'
  return schema instanceof z.ZodCustom && isFunction(schema) ? 'function' : 'value'
}

const choices = (values: readonly unknown[]) => values.map((value) => `\`${literal(value)}\``).join(', ')

const isFunction = (schema: z.ZodType) => schema.safeParse(() => undefined).success

const spans = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const

/** `7 days` for 604800 seconds; empty where the number is readable. */
function inWords(value: unknown, unit: string): string {
  const seconds = unit === 's' ? Number(value) : unit === 'ms' ? Number(value) / 1_000 : 0
  const span = spans.find(([length]) => seconds >= length && seconds % length === 0)
  if (!span) return ''
  const count = seconds / span[0]
  return ` (${count} ${span[1]}${count === 1 ? '' : 's'})`
}

function shown(value: unknown, unit: string): string {
  if (value === undefined || typeof value === 'function') return ''
  if (Array.isArray(value) || isPlain(value)) {
    if (Object.keys(value).length > 0) return 'built in'
    return Array.isArray(value) ? '`[]`' : '`{}`'
  }
  return `\`${literal(value)}\`${inWords(value, unit)}`
}

function* settingsOf(outer: z.ZodType, path: string, source: string, value: unknown): Generator<Setting> {
  const { schema } = bare(outer)
  if (schema instanceof z.ZodObject) {
    const given = isPlain(value) ? value : {}
    for (const [name, inner] of Object.entries(schema.shape)) {
      yield* described(inner as z.ZodType, `${path}.${name}`, `${source}.${name}`, given[name])
    }
  } else yield* entriesOf(schema, path, source)
}

/** The settings of the entries of lists, records and alternatives. */
function* entriesOf(schema: z.ZodType, path: string, source: string): Generator<Setting> {
  if (schema instanceof z.ZodArray) yield* settingsOf(schema.element as z.ZodType, `${path}[]`, source, undefined)
  else if (schema instanceof z.ZodRecord)
    yield* settingsOf(schema.valueType as z.ZodType, `${path}.<name>`, source, undefined)
  else if (schema instanceof z.ZodUnion) {
    for (const one of schema.options) yield* settingsOf(one as z.ZodType, path, source, undefined)
  }
}

function* described(schema: z.ZodType, path: string, source: string, value: unknown): Generator<Setting> {
  const last = path.split('.').at(-1)!
  const ofFeature =
    path.split('.').length === 2 && last === 'enabled'
      ? 'Whether the feature is on. Off, it has no endpoints and no screens.'
      : ''
  const candidates = [source, source.replace(/^genericOAuth/, 'socialProviders.<provider>'), path].flatMap(
    (name) => told().get(name) ?? [],
  )
  const own = candidates.find(({ unit }) => unit)?.unit ?? ''
  const meaning =
    candidates.find((one) => one.meaning)?.meaning ||
    ofFeature ||
    (common[last] ?? common[path.split('.').slice(-2).join('.')] ?? '')
  const isWindow = path.endsWith('.window') && bare(schema).schema instanceof z.ZodNumber
  const unit = own || (isWindow || /\(s\)|^Seconds/.test(meaning) ? 's' : '')
  if (!(bare(schema).schema instanceof z.ZodObject) || meaning) {
    const isObject = bare(schema).schema instanceof z.ZodObject
    yield {
      path,
      type: typeOf(schema),
      default: isObject ? '' : shown(value, unit),
      unit: isObject ? '' : unit,
      meaning,
    }
  }
  yield* settingsOf(schema, path, source, value)
}

/** All settings of a feature's options, in the order of their definition. */
export function settingsOfOptions({ name, schema, defaults }: (typeof knownOptions)[number]): Setting[] {
  if (name === 'socialProviders') return settingsOfProviders(schema)
  const found = [...settingsOf(schema, name, name, defaults)]
  return found.length > 0 ? found : [...described(schema, name, name, defaults)]
}

/** The options of every provider once, then those that one provider adds. */
function settingsOfProviders(schema: z.ZodType): Setting[] {
  const common = [
    ...settingsOf(parts(providerOptionsShape()), 'socialProviders.<provider>', 'socialProviders.<provider>', {}),
  ]
  const own = [...settingsOf(schema, 'socialProviders', 'socialProviders', {})].filter(
    ({ path, meaning }) => !common.some((one) => one.path.endsWith(`>.${path.split('.').at(-1)}`)) || meaning !== '',
  )
  return [...common, ...own]
}

/** guides/options.md: every setting with type, default, unit and meaning. */
export function optionsGuide(): string {
  const sections = knownOptions
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((options) => {
      const strict = options.strict as object | undefined
      return [
        `## ${options.name}`,
        '',
        ...(strict ? [`With \`profile: 'strict'\`: ${strictly(strict)}.`, ''] : []),
        '| setting | type | default | unit | meaning |',
        '|---|---|---|---|---|',
        ...settingsOfOptions(options).map(({ path, type, default: value, unit, meaning }) =>
          `| \`${path}\` | ${type} | ${value} | ${unit} | ${meaning} |`.replace(/ {2,}/g, ' '),
        ),
        '',
      ]
    })
  return `${introduction}\n${sections.join('\n')}`
}

const strictly = (strict: object): string =>
  Object.entries(strict)
    .map(([name, value]) => `\`${name}: ${literal(value)}\``)
    .join(', ')

const introduction = `# All options

Generated from the definitions of the options. [Configuration](configuration.md) explains how to set them, and the
variables and secrets. \`appName\`, \`profile\`, \`trustedOrigins\` and \`jurisdiction\` are at the top level; every other option belongs to a group.

- An unknown option or an invalid value prevents the Worker from starting, and the error names it.
- An omitted option has its default. A default that depends on the deployment is described in the last column.
- Unit \`s\`: seconds. Unit \`ms\`: milliseconds. A number without a unit is a count.
- \`[]\` is an entry of a list, \`<name>\` a name that you choose.
`
