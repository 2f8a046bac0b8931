import { scimType } from '../../../http/answer-error.ts'
import type { Method } from '../../../http/endpoint.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import type { DirectoryGroup } from '../model/groups.table.ts'
import { directoryDocument, discoveryPaths } from '../protocol/discovery.ts'
import { readProjection } from '../protocol/project.ts'
import { groupType } from '../protocol/schemas.ts'
import { scimError } from '../protocol/scim.errors.ts'
import type { Data } from '../protocol/values.ts'
import { etagOf, isUnmodified } from '../protocol/versions.ts'
import { directoryUrl } from '../tokens/tokens.ts'
import { listResources, searchAll } from './list.ts'
import { resourcesAt, type Shown } from './resources.ts'

/** A request to the directory of a connection, also one of a bulk request. */
export interface DirectoryRequest {
  method: Method
  endpoint: string
  id: string | null
  query: Data
  /** The body; null without one. */
  body: Data | null
  ifMatch: string | null
  ifNoneMatch: string | null
}

export interface DirectoryAnswer {
  status: number
  body: Data | null
  location?: string
  version?: string
}

/** @throws invalidSyntax */
function bodyOf({ body }: DirectoryRequest): Data {
  if (!body) throw scimError('SCIM_INVALID_SYNTAX', 'The body must be a JSON object')
  return body
}

/** Answers a request. @throws the errors of the protocol */
export async function answerDirectory(
  scope: Scope,
  connection: Connection,
  asked: DirectoryRequest,
): Promise<DirectoryAnswer> {
  const { method, endpoint, id, query } = asked
  const base = directoryUrl(scope, connection.id)
  if ((discoveryPaths as readonly string[]).includes(endpoint)) {
    if (method !== 'GET') throw scimError('SCIM_METHOD_NOT_ALLOWED')
    // RFC 7644, section 4: filters are refused here.
    if (query.filter !== undefined) throw scimError('SCIM_FORBIDDEN', 'The discovery endpoints have no filter')
    const document = directoryDocument(base, endpoint, id)
    if (!document) throw scimError('SCIM_NOT_FOUND')
    return { status: 200, body: document }
  }
  if (endpoint === '.search' && id === null) {
    if (method !== 'POST') throw scimError('SCIM_METHOD_NOT_ALLOWED')
    return { status: 200, body: await searchAll(scope, connection, bodyOf(asked)) }
  }
  const resources = resourcesAt(endpoint)
  if (!resources) throw scimError('SCIM_NOT_FOUND')
  const show = async (status: number, row: unknown): Promise<DirectoryAnswer> => {
    const [shown] = await resources.show(scope, connection, [row], readProjection(query))
    return presented(base, endpoint, status, shown!, asked)
  }
  if (id === null) {
    if (method === 'GET') return { status: 200, body: await listResources(scope, connection, resources, query) }
    if (method !== 'POST') throw scimError('SCIM_METHOD_NOT_ALLOWED')
    return show(201, await resources.create(scope, connection, bodyOf(asked)))
  }
  if (id === '.search' && method === 'POST') {
    return { status: 200, body: await listResources(scope, connection, resources, bodyOf(asked)) }
  }
  switch (method) {
    case 'GET':
      return show(200, await resources.get(scope, connection, id))
    case 'PUT':
      return show(200, await resources.replace(scope, connection, id, asked.ifMatch, bodyOf(asked)))
    case 'PATCH': {
      const row = await resources.patch(scope, connection, id, asked.ifMatch, bodyOf(asked))
      // Clients change a few members of a large group: all of them would be the answer (RFC 7644, section 3.5.2).
      if (resources.type === groupType && query.attributes === undefined) return changed(base, row as DirectoryGroup)
      return show(200, row)
    }
    case 'DELETE':
      await resources.remove(scope, connection, id, asked.ifMatch)
      return { status: 204, body: null, location: `${base}/${endpoint}/${id}` }
    default:
      throw scimError('SCIM_METHOD_NOT_ALLOWED')
  }
}

const changed = (base: string, { id, version }: DirectoryGroup): DirectoryAnswer => ({
  ...{ status: 204, body: null },
  ...{ location: `${base}/${groupType.endpoint}/${id}`, version: etagOf(version) },
})

function presented(
  base: string,
  endpoint: string,
  status: number,
  shown: Shown,
  { method, ifNoneMatch }: DirectoryRequest,
): DirectoryAnswer {
  const { id, version, body } = shown
  const common = { location: `${base}/${endpoint}/${id}`, version: etagOf(version) }
  if (method === 'GET' && isUnmodified(ifNoneMatch, version)) return { status: 304, body: null, ...common }
  return { status, body, ...common }
}

/** The response of an answer (RFC 7644, section 3.1). */
export const responseOf = ({ status, body, location, version }: DirectoryAnswer): Response =>
  new Response(body === null ? null : JSON.stringify(body), {
    status,
    headers: {
      ...(body === null ? {} : { 'content-type': scimType }),
      ...(status === 201 && location ? { location } : {}),
      ...(version ? { etag: version } : {}),
    },
  })
