import { parseSync } from 'rolldown/utils'

// What users of a release depend on: the inputs and responses of each endpoint, and the names in the declarations.

/** By endpoint, such as `POST /sign-in/email`: fields with their types, and `!` for a required input. */
export type Wire = Record<string, { in: Record<string, string>; out: Record<string, string> }>
/** By entry of the package and exported name: the names of its members; none for what is not an interface. */
export type Exports = Record<string, Record<string, string[]>>
export interface Surface {
  wire: Wire
  exports: Exports
}

type Schema = Record<string, unknown>
interface Document {
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, unknown> }
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const deepest = 6

/** Adds the fields of a schema with their types, by path: `user.id`, `users[].email`. */
function flatten(schema: Schema, all: Document['components']['schemas'], into: Record<string, Set<string>>, path = '') {
  if (path.split(/[.[]/).length > deepest) return
  if (typeof schema.$ref === 'string') {
    flatten(all[schema.$ref.split('/').at(-1)!] as Schema, all, into, path)
    return
  }
  for (const group of ['anyOf', 'oneOf', 'allOf'])
    for (const one of (schema[group] as Schema[] | undefined) ?? []) flatten(one, all, into, path)
  const types = [schema.type ?? (schema.const !== undefined ? typeof schema.const : [])].flat() as string[]
  if (path && types.length > 0) {
    into[path] ??= new Set()
    for (const type of types) into[path].add(type === 'integer' ? 'number' : type)
  }
  const required = (schema.required as string[] | undefined) ?? []
  for (const [name, property] of Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {})) {
    const below = path ? `${path}.${name}` : name
    flatten(property, all, into, below)
    into[below] ??= new Set()
    if (required.includes(name)) into[below].add('!')
  }
  if (schema.items) flatten(schema.items as Schema, all, into, `${path}[]`)
}

const written = (fields: Record<string, Set<string>>) =>
  Object.fromEntries(Object.entries(fields).map(([path, types]) => [path, [...types].sort().join(' ')]))

/** @param document OpenAPI */
export function wireOf({ paths, components: { schemas } }: Document): Wire {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => {
      const { parameters = [], requestBody, responses } = value as Operation
      const [input, output]: Record<string, Set<string>>[] = [{}, {}]
      for (const parameter of parameters) {
        flatten(parameter.schema, schemas, input!, parameter.name)
        if (parameter.required) (input![parameter.name] ??= new Set()).add('!')
      }
      const body = requestBody?.content['application/json']?.schema
      if (body) flatten(body, schemas, input!)
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = content?.['application/json']?.schema
        if (status.startsWith('2') && schema) flatten(schema, schemas, output!)
      }
      return [`${method.toUpperCase()} ${path}`, { in: written(input!), out: written(output!) }] as const
    }),
  )
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

interface Node {
  type: string
  [name: string]: unknown
}

const nameOf = (node: unknown): string => {
  const { name, value } = Object(node) as { name?: string; value?: string }
  return name ?? value ?? ''
}

/** @param declarations the text of a file of declarations */
export function exportsOf(declarations: string): Record<string, string[]> {
  const { program } = parseSync('index.d.ts', declarations)
  const members = new Map<string, string[]>()
  const exported = new Map<string, string>()
  for (const statement of program.body as unknown as Node[]) {
    const declared = (statement.declaration ?? statement) as Node
    if (declared.id) members.set(nameOf(declared.id), membersOf(declared))
    if (statement.type !== 'ExportNamedDeclaration') continue
    const variables = (declared.declarations as { id: unknown }[] | undefined) ?? []
    for (const { id } of [declared as { id?: unknown }, ...variables]) if (id) exported.set(nameOf(id), nameOf(id))
    for (const one of (statement.specifiers as { local: unknown; exported: unknown }[] | undefined) ?? [])
      exported.set(nameOf(one.exported), nameOf(one.local))
  }
  return Object.fromEntries([...exported].sort().map(([name, local]) => [name, members.get(local) ?? []]))
}

function membersOf({ type, body }: Node): string[] {
  if (type !== 'TSInterfaceDeclaration') return []
  return ((body as { body: { key?: unknown }[] }).body ?? []).map(({ key }) => nameOf(key)).filter(Boolean)
}

/** A change that breaks a user of the earlier version, and the names with which the changelog has to mention it. */
export interface Break {
  what: string
  names: string[]
}

const typesOf = (text: string) => text.split(' ').filter((type) => type && type !== '!')

/** What an earlier version accepts and returns, and this one does not. */
export function brokenWire(before: Wire, now: Wire): Break[] {
  return Object.entries(before).flatMap(([endpoint, old]): Break[] => {
    const path = endpoint.split(' ')[1]!
    const own = now[endpoint]
    if (!own) return [{ what: `${endpoint} is removed`, names: [path] }]
    const breaks: Break[] = []
    const add = (field: string, what: string) =>
      breaks.push({
        what: `${endpoint}: ${what}`,
        names: [
          path,
          field
            .split(/[.[\]]+/)
            .filter(Boolean)
            .at(-1)!,
        ],
      })
    for (const [field, types] of Object.entries(old.in)) {
      const refused =
        field in own.in ? typesOf(types).filter((type) => !typesOf(own.in[field]!).includes(type)) : ['any']
      if (refused.length > 0 && own.in[field] !== '') add(field, `the input ${field} was accepted as ${refused}`)
    }
    for (const [field, types] of Object.entries(own.in)) {
      const wasRequired = old.in[field]?.includes('!')
      const inner = /[.[]/.test(field) && !(field.replace(/(?:\.[^.[]+|\[\])$/, '') in old.in)
      if (types.includes('!') && !wasRequired && !inner) add(field, `the input ${field} is required`)
    }
    for (const [field, types] of Object.entries(old.out)) {
      if (!(field in own.out)) add(field, `the response has no ${field}`)
      else if (types.includes('!') && !own.out[field]!.includes('!')) add(field, `the response may lack ${field}`)
      else {
        const other = typesOf(own.out[field]!).filter((type) => !typesOf(types).includes(type))
        if (typesOf(types).length > 0 && other.length > 0) add(field, `${field} of the response may be ${other}`)
      }
    }
    return breaks
  })
}

/** The names that an earlier version exports, and this one does not. */
export const brokenExports = (before: Exports, now: Exports): Break[] =>
  Object.entries(before).flatMap(([entry, names]) =>
    Object.entries(names).flatMap(([name, members]): Break[] => {
      const own = now[entry]?.[name]
      if (!own) return [{ what: `${entry}: ${name} is not exported`, names: [name] }]
      // A type that was an interface before may still have them.
      const removed = own.length > 0 ? members.filter((member) => !own.includes(member)) : []
      return removed.map((member) => ({ what: `${entry}: ${name} has no ${member}`, names: [name, member] }))
    }),
  )

/** The breaks that no entry of the changelog names. @param unreleased the text of the sections after the earlier version */
export function unnamed(breaks: readonly Break[], unreleased: string): string[] {
  const entries = unreleased.split(/\n(?=- |#)/)
  const mentions = (entry: string, name: string) =>
    new RegExp(
      `(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\\\{\w+\\\}/g, '[:{]\\w+\\}?')}(?![\\w/-])`,
    ).test(entry)
  return breaks
    .filter(({ names }) => !entries.some((entry) => names.every((name) => mentions(entry, name))))
    .map(({ what }) => what)
}
