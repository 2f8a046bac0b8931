import type { JsonSchema } from '../../openapi/schemas.ts'

/** Values for a schema of the OpenAPI document: a valid one, those at its limits, and hostile ones. */

export type Hints = Readonly<Record<string, unknown>>

const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])

/** Values that often cause errors. The document declares the response for valid and invalid ones. */
export const hostile: readonly unknown[] = [
  null,
  '',
  0,
  -1,
  1e308,
  true,
  [],
  {},
  'x'.repeat(10_000),
  'a\u0000b',
  '\ud800',
  "' or 1=1; drop table users; --",
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  'https://evil.example.org\\@localhost/',
  'javascript:alert(1)',
  '%00%ff%',
  '\u202e\u0130\ufb03',
  [null],
  [[[]]],
  nested(11),
  nested(40),
  { $ne: null },
  { toString: 'x', length: -1 },
  JSON.parse('{"__proto__":{"role":"admin"},"constructor":{"prototype":{}}}'),
  Number.MAX_SAFE_INTEGER,
  0.5,
  '9'.repeat(400),
  '0x1F',
  '2026-02-31T25:61:61Z',
]

const texts = ['text', 'abc123', '123456', '+4915112345678', 'a', 'x'.repeat(43), 'localhost', '/welcome']

const byFormat: Record<string, string> = {
  email: 'another@example.com',
  uri: 'http://localhost:8787/welcome',
  'date-time': '2027-01-01T00:00:00.000Z',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function textFor({ format, pattern, minLength = 0, maxLength = 1e6 }: JsonSchema): string {
  if (typeof format === 'string' && byFormat[format]) return byFormat[format]
  const fits = (one: string) =>
    one.length >= (minLength as number) &&
    one.length <= (maxLength as number) &&
    (pattern === undefined || new RegExp(pattern as string, 'u').test(one))
  return texts.find(fits) ?? 'x'.repeat(minLength as number)
}

/** A value that matches the schema. @param hints values by the name of a field */
export function fitting(schema: JsonSchema, hints: Hints, name = ''): unknown {
  if (Object.hasOwn(hints, name)) return hints[name]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const options = schema[key] as JsonSchema[] | undefined
    if (options) return fitting(options[0]!, hints, name)
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textFor(schema)
    case 'number':
    case 'integer':
      return Math.max(1, Number(schema.minimum ?? 1))
    case 'boolean':
      return true
    case 'array':
      return [fitting((schema.items as JsonSchema) ?? {}, hints, name)]
    case 'object':
      return Object.fromEntries(
        Object.entries(propertiesOf(schema)).map(([key, property]) => [key, fitting(property, hints, key)]),
      )
    default:
      return 'text'
  }
}

export const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema.properties as Record<string, JsonSchema> | undefined) ?? {}

/** The values at the limits of a schema, and one step beyond them. */
export function boundary(schema: JsonSchema): unknown[] {
  const options = ['anyOf', 'oneOf'].flatMap((key) => (schema[key] as JsonSchema[] | undefined) ?? [])
  if (options.length > 0) return options.flatMap(boundary)
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, items } = schema as Record<string, number>
  const text = (length: number) => 'x'.repeat(Math.max(0, Math.min(length, 20_000)))
  const list = (length: number) =>
    Array.from({ length: Math.min(length, 2000) }, () => fitting((items as unknown as JsonSchema) ?? {}, {}))
  return [
    ...(minLength === undefined ? [] : [text(minLength), text(minLength - 1)]),
    ...(maxLength === undefined ? [] : [text(maxLength), text(maxLength + 1)]),
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined || maximum > 1e15 ? [] : [maximum, maximum + 1]),
    ...(minItems === undefined ? [] : [list(minItems), list(minItems - 1)]),
    ...(maxItems === undefined ? [] : [list(maxItems), list(maxItems + 1)]),
    ...(Array.isArray(schema.enum) ? schema.enum : []),
  ]
}
