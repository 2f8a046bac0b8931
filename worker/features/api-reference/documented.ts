/** The fields of the OpenAPI document that the page reads. */
export interface Documented {
  openapi: string
  info: { title: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, DocumentedSchema>; securitySchemes: { session: { name: string } } }
}

export interface DocumentedOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: object[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, { schema?: DocumentedSchema }> }>
}

interface Content {
  schema: DocumentedSchema
  example?: Record<string, unknown>
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: DocumentedSchema
}

/** A JSON Schema, limited to the keywords that contracts generate. */
export interface DocumentedSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: DocumentedSchema[]
  oneOf?: DocumentedSchema[]
  allOf?: DocumentedSchema[]
  properties?: Record<string, DocumentedSchema>
  required?: string[]
  additionalProperties?: boolean | DocumentedSchema
  items?: DocumentedSchema
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
export interface DocumentedEndpoint {
  path: string
  method: string
  operation: DocumentedOperation
}

export const endpointsOf = ({ paths }: Documented): DocumentedEndpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** The request body of an endpoint with its media type; null without a body. */
export function bodyOf({ requestBody }: DocumentedOperation): (Content & { type: string }) | null {
  const [first] = Object.entries(requestBody?.content ?? {})
  return first ? { type: first[0], ...first[1] } : null
}
