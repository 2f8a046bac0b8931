import * as z from 'zod'
import type { Endpoint } from './http/endpoint.ts'
import { basePath } from './identity/settings.ts'

/** The part of an OpenAPI 3.1 document that is made from the contracts. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> }
}

/** Dates travel as ISO 8601 text. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      delete jsonSchema.$schema
      delete jsonSchema.id
    },
  })

interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: string[]
}

function parametersOf(endpoint: Endpoint) {
  const list = (schema: z.ZodType | undefined, where: 'path' | 'query') => {
    if (!schema) return []
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as ObjectSchema
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: property,
    }))
  }
  return [...list(endpoint.params, 'path'), ...list(endpoint.query, 'query')]
}

const errorSchema = { $ref: '#/components/schemas/Error' }

function responsesOf(endpoint: Endpoint) {
  const success =
    typeof endpoint.answer === 'string'
      ? endpoint.answer === 'redirect'
        ? { 302: { description: 'Redirects the browser' } }
        : { 200: { description: 'A page', content: { 'text/html': {} } } }
      : {
          [endpoint.status ?? 200]: {
            description: endpoint.summary,
            content: { 'application/json': { schema: schemaOf(endpoint.answer, 'output') } },
          },
        }
  const refusals = new Map<number, string[]>()
  if (endpoint.body || endpoint.query || endpoint.params) refusals.set(400, ['VALIDATION_ERROR'])
  refusals.set(429, ['TOO_MANY_REQUESTS'])
  if (endpoint.method === 'POST') refusals.set(403, ['INVALID_ORIGIN'])
  for (const { status, code, message } of endpoint.errors) {
    refusals.set(status, [...(refusals.get(status) ?? []), `${code}: ${message}`])
  }
  const errors = [...refusals].map(([status, reasons]) => [
    status,
    { description: reasons.join('\n'), content: { 'application/json': { schema: errorSchema } } },
  ])
  return { ...success, ...Object.fromEntries(errors) }
}

/** Describes the endpoints that are on, one entry each, in the words of their contracts. */
export function openApiDocument(
  features: { name: string; routes?: { contract: Record<string, Endpoint> } | undefined }[],
  { appName, baseUrl }: { appName: string; baseUrl: string },
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const { name, routes } of features) {
    for (const [operation, endpoint] of Object.entries(routes?.contract ?? {})) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = {
        tags: [name],
        operationId: operation,
        summary: endpoint.summary,
        security: endpoint.access === 'visitor' ? [] : [{ session: [] }, { bearer: [] }],
        parameters: parametersOf(endpoint),
        ...(endpoint.body
          ? {
              requestBody: {
                required: true,
                content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
              },
            }
          : {}),
        responses: responsesOf(endpoint),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: appName, version: '1.0.0', description: `Accounts of ${appName}.` },
    servers: [{ url: `${baseUrl}${basePath}` }],
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: { code: { type: 'string' }, message: { type: 'string' } },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session_token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}
