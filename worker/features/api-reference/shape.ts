import type { DocumentedSchema } from './documented.ts'

type Schemas = Readonly<Record<string, DocumentedSchema>>

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Below this depth the name of a schema replaces its content. */
const deepest = 4

/** The constraints after the type: `email, at most 100`. */
function limitsOf({ format, minLength, maxLength, minimum, maximum, minItems, maxItems }: DocumentedSchema): string {
  const least = minLength ?? minimum ?? minItems
  const most = maxLength ?? maximum ?? maxItems
  const parts = [
    format,
    least !== undefined && least > 0 ? `at least ${least}` : undefined,
    most !== undefined && most < Number.MAX_SAFE_INTEGER ? `at most ${most}` : undefined,
  ]
  const text = parts.filter((part) => part !== undefined).join(', ')
  return text ? ` (${text})` : ''
}

/** A schema in readable form: `{ token: string, user: { id: string, … } | null }`. */
export function shapeOf(schema: DocumentedSchema, schemas: Schemas, indent = '', seen: readonly string[] = []): string {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    const target = schemas[name]
    if (!target || seen.includes(name) || seen.length >= deepest) return name
    return shapeOf(target, schemas, indent, [...seen, name])
  }
  const inner = (one: DocumentedSchema) => shapeOf(one, schemas, indent, seen)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map(inner))].join(' | ')
  if (schema.allOf) return schema.allOf.map(inner).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'array') return `[${schema.items ? inner(schema.items) : 'any'}]${limitsOf(schema)}`
  if (schema.type !== 'object') return `${schema.type ?? 'any'}${limitsOf(schema)}`
  const { properties = {}, required = [], additionalProperties: more } = schema
  const lines = Object.entries(properties).map(
    ([name, one]) =>
      `${indent}  ${name}${required.includes(name) ? '' : '?'}: ${shapeOf(one, schemas, `${indent}  `, seen)}`,
  )
  if (typeof more === 'object' && Object.keys(more).length > 0) {
    lines.push(`${indent}  [name]: ${shapeOf(more, schemas, `${indent}  `, seen)}`)
  }
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
}
