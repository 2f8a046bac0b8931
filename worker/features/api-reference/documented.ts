/** The fields of the OpenAPI document that the page reads. */
export interface Documented {
  openapi: string
  info: { title: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: { session: { name: string } } }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: object[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, { schema?: Schema }> }>
}

interface Content {
  schema: Schema
  example?: Record<string, unknown>
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: Schema
}

/** A JSON Schema, limited to the keywords that contracts generate. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  format?: string
  pattern?: string
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
}

/** One endpoint. */
export interface Endpoint {
  path: string
  method: string
  operation: Operation
}

export const endpointsOf = ({ paths }: Documented): Endpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** The request body of an endpoint with its media type; null without a body. */
export function bodyOf({ requestBody }: Operation): (Content & { type: string }) | null {
  const [first] = Object.entries(requestBody?.content ?? {})
  return first ? { type: first[0], ...first[1] } : null
}
