import { isTooDeep } from '../../../http/body.ts'
import type { Method } from '../../../http/endpoint.ts'
import type { Handlers } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { scimError } from '../protocol/scim.errors.ts'
import { type Data, isRecord } from '../protocol/values.ts'
import { answerDirectory, responseOf } from './answer.ts'
import { runBulk } from './bulk.ts'
import type { directoryServerContract } from './server.contract.ts'

/** @throws invalidSyntax */
function readJson(raw: string): Data | null {
  if (raw === '') return null
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch {
    throw scimError('SCIM_INVALID_SYNTAX', 'The body is not valid JSON')
  }
  if (!isRecord(value) || isTooDeep(value)) throw scimError('SCIM_INVALID_SYNTAX', 'The body must be a JSON object')
  return value
}

interface Call {
  scope: Scope
  party: { connection: Connection; tokenId: string }
  params: { resource: string; id?: string | null }
  query?: Data | undefined
  raw: string
}

const handle =
  (method: Method) =>
  async ({ scope, party: { connection }, params: { resource, id = null }, query = {}, raw }: Call) => {
    const { headers } = scope.request
    const asked = {
      ...{ method, endpoint: resource, id, query, body: readJson(raw) },
      ...{ ifMatch: headers.get('if-match'), ifNoneMatch: headers.get('if-none-match') },
    }
    return responseOf(await answerDirectory(scope, connection, asked))
  }

export const directoryServerHandlers: Handlers<typeof directoryServerContract> = {
  scimBulk: async ({ scope, party, raw }) => {
    const body = readJson(raw)
    if (!body) throw scimError('SCIM_INVALID_SYNTAX', 'The body must be a JSON object')
    return responseOf({ status: 200, body: await runBulk(scope, party, body) })
  },
  scimList: handle('GET'),
  scimCreate: handle('POST'),
  scimPutCollection: handle('PUT'),
  scimPatchCollection: handle('PATCH'),
  scimDeleteCollection: handle('DELETE'),
  scimGet: handle('GET'),
  scimSearch: handle('POST'),
  scimReplace: handle('PUT'),
  scimPatch: handle('PATCH'),
  scimDelete: handle('DELETE'),
}
