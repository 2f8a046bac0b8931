import { allSchemas, type ResourceType, resourceTypes } from './schemas.ts'
import type { Data } from './values.ts'

/** Limits that the ServiceProviderConfig publishes. */
export const directoryPageSize = { default: 100, max: 200 }
export const bulkLimits = { maxOperations: 20, maxPayloadSize: 1024 * 1024 }

const core = 'urn:ietf:params:scim:schemas:core:2.0'

/** RFC 7643, section 5, with the pagination of RFC 9865, section 4. */
const serviceProviderConfig = (base: string): Data => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: true, ...bulkLimits },
  filter: { supported: true, maxResults: directoryPageSize.max },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: directoryPageSize.default,
    maxPageSize: directoryPageSize.max,
  },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the directory, in the header Authorization',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const describeType = (base: string, { name, endpoint, schema, extension }: ResourceType): Data => ({
  schemas: [`${core}:ResourceType`],
  id: name,
  name,
  description: schema.description,
  endpoint: `/${endpoint}`,
  schema: schema.id,
  ...(extension ? { schemaExtensions: [{ schema: extension.id, required: false }] } : {}),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

const describeSchemas = (base: string): Data[] =>
  allSchemas.map((schema) => ({
    schemas: [`${core}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))

export const listResponse = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

const listOfAll = (resources: Data[]): Data => ({
  schemas: [listResponse],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** The paths of the discovery documents (RFC 7644, section 4). */
export const discoveryPaths = ['ServiceProviderConfig', 'ResourceTypes', 'Schemas'] as const

/** A discovery document; null for an unknown one. @param base the address of the directory */
export function directoryDocument(base: string, path: string, id: string | null): Data | null {
  if (path === 'ServiceProviderConfig') return id === null ? serviceProviderConfig(base) : null
  const all =
    path === 'ResourceTypes'
      ? resourceTypes.map((type) => describeType(base, type))
      : path === 'Schemas'
        ? describeSchemas(base)
        : null
  if (all === null) return null
  return id === null ? listOfAll(all) : (all.find((one) => one.id === id) ?? null)
}
