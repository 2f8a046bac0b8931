import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

const componentUri = (name: string) => `#/components/schemas/${name}`

export const refTo = (name: string): JsonSchema => ({ $ref: componentUri(name) })

type Override = NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']

/** Dates are ISO 8601 strings. */
const override: Override = ({ zodSchema, jsonSchema }) => {
  if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
}

const common = { unrepresentable: 'any', reused: 'inline', override } as const

/** The schema of an input: complete, without references. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { ...common, io: 'input', metadata: z.registry() })
  return json
}

/** Collects the schemas of responses. Each schema becomes one component and refers to the others by their addresses. */
export class Components {
  private readonly answers = z.registry<{ id: string }>()

  constructor() {
    // A named schema (`.meta({ id })`) keeps its name at every place of a response.
    for (const [id, schema] of z.globalRegistry._idmap) this.answers.add(schema as z.ZodType, { id })
  }

  /** @returns a reference to the response's schema, whose name is `name` unless it has its own */
  add(schema: z.ZodType, name: string): JsonSchema {
    if (!this.answers.has(schema)) this.answers.add(schema, { id: name })
    return refTo(this.answers.get(schema)!.id)
  }

  /** The components that `document` refers to, directly or through others. */
  usedBy(document: unknown): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.answers, { ...common, io: 'output', uri: componentUri })
    const used: Record<string, JsonSchema> = {}
    const take = (text: string) => {
      for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
        if (!schemas[name!] || used[name!]) continue
        const { $schema: _schema, $id: _id, id: _name, ...json } = schemas[name!] as JsonSchema
        used[name!] = json
        take(JSON.stringify(json))
      }
    }
    take(JSON.stringify(document))
    return used
  }
}
