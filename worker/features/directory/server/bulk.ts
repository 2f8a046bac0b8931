import { answerError } from '../../../http/answer-error.ts'
import type { Method } from '../../../http/endpoint.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { bulkLimits } from '../protocol/discovery.ts'
import { scimError } from '../protocol/scim.errors.ts'
import { type Data, isRecord } from '../protocol/values.ts'
import { answerDirectory } from './answer.ts'
import { countOperations } from './require-token.ts'

const bulkResponse = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

interface BulkOperation {
  method: Method
  path: string
  bulkId: string | null
  version: string | null
  data: Data | null
  /** The `bulkId`s that it names. */
  references: readonly string[]
}

const methods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

/** D1 round trips of one operation. */
const roundTrips = 6

/**
 * Runs the operations of a bulk request one after another (RFC 7644, section 3.7). Each one is written in a batch of its own.
 * An operation that names the `bulkId` of another one runs after it.
 */
export async function runBulk(
  scope: Scope,
  { connection, tokenId }: { connection: Connection; tokenId: string },
  body: Data,
): Promise<Data> {
  const operations = readBulk(body)
  // The request itself has counted as one.
  if (operations.length > 1) await countOperations(scope, tokenId, operations.length - 1)
  const { failOnErrors } = body
  const maxErrors = typeof failOnErrors === 'number' && failOnErrors > 0 ? failOnErrors : Number.POSITIVE_INFINITY
  const ids = new Map<string, string>()
  const answered: Data[] = []
  let errors = 0
  const waiting = [...operations]
  while (waiting.length > 0 && errors < maxErrors) {
    const ready = waiting.findIndex((one) => missing(one, ids) === null)
    const [operation] = waiting.splice(Math.max(ready, 0), 1)
    scope.io.declare({ d1: roundTrips })
    const result = await runOne(scope, connection, operation!, ids)
    if (Number(result.status) >= 400) errors += 1
    answered.push(result)
  }
  return { schemas: [bulkResponse], Operations: answered }
}

/** @throws invalidSyntax, 413 for too many operations */
function readBulk(body: Data): BulkOperation[] {
  const list = body.Operations
  if (!Array.isArray(list) || list.length === 0) throw scimError('SCIM_INVALID_SYNTAX', 'Operations must be a list')
  if (list.length > bulkLimits.maxOperations) {
    throw scimError('SCIM_TOO_LARGE', `At most ${bulkLimits.maxOperations} operations in one request`)
  }
  return list.map((one) => {
    const { method, path, bulkId, version, data } = isRecord(one) ? one : ({} as Data)
    const verb = typeof method === 'string' ? method.toUpperCase() : ''
    if (!methods.includes(verb) || typeof path !== 'string') {
      throw scimError('SCIM_INVALID_SYNTAX', 'An operation needs a method and a path')
    }
    if (verb === 'POST' && typeof bulkId !== 'string') {
      throw scimError('SCIM_INVALID_SYNTAX', 'An operation with POST needs a bulkId')
    }
    const given = isRecord(data) ? data : null
    return {
      method: verb as Method,
      path,
      bulkId: typeof bulkId === 'string' ? bulkId : null,
      version: typeof version === 'string' ? version : null,
      data: given,
      references: referencesIn(path, given),
    }
  })
}

const references = /"bulkId:([^"\\]{1,100})"/g

const mark = '/bulkId:'

/** The `bulkId` at the end of a path, or null. */
function bulkIdIn(path: string): string | null {
  const at = path.lastIndexOf(mark)
  const name = at < 0 ? '' : path.slice(at + mark.length)
  return name === '' || name.includes('/') ? null : name
}

function referencesIn(path: string, data: Data | null): string[] {
  const named = data === null ? [] : [...JSON.stringify(data).matchAll(references)].map(([, name]) => name!)
  const inPath = bulkIdIn(path)
  return inPath === null ? named : [...named, inPath]
}

/** The first `bulkId` that has no id yet. */
const missing = ({ references: named }: BulkOperation, ids: ReadonlyMap<string, string>): string | null =>
  named.find((name) => !ids.has(name)) ?? null

async function runOne(
  scope: Scope,
  connection: Connection,
  operation: BulkOperation,
  ids: Map<string, string>,
): Promise<Data> {
  const { method, bulkId, version } = operation
  const common = { method, ...(bulkId === null ? {} : { bulkId }) }
  try {
    const unknown = missing(operation, ids)
    if (unknown !== null) throw scimError('SCIM_INVALID_VALUE', 'A bulkId has no resource')
    const text = JSON.stringify(operation.data).replace(references, (_, name) => JSON.stringify(ids.get(name)))
    const inPath = bulkIdIn(operation.path)
    const path =
      inPath === null ? operation.path : `${operation.path.slice(0, -`bulkId:${inPath}`.length)}${ids.get(inPath)}`
    const [, endpoint = '', id = null, ...more] = path.split('/')
    if (more.length > 0) throw scimError('SCIM_NOT_FOUND')
    const {
      status,
      body,
      location,
      version: etag,
    } = await answerDirectory(scope, connection, {
      ...{ method, endpoint, id, query: {}, body: JSON.parse(text) as Data | null },
      ...{ ifMatch: version, ifNoneMatch: null },
    })
    if (bulkId !== null && typeof body?.id === 'string') ids.set(bulkId, body.id)
    return { ...common, location, ...(etag ? { version: etag } : {}), status: String(status) }
  } catch (thrown) {
    const failure = answerError(thrown, scope.log, 'scim')
    return { ...common, status: String(failure.status), response: await failure.json() }
  }
}
