import type { Handlers } from '../../../http/routes.ts'
import { done, managed } from '../model/managed.ts'
import type { ssoConnectionsContract } from './connections.contract.ts'
import { createConnection, deleteConnection, updateConnection } from './connections.ts'
import { importMetadata } from './metadata.ts'
import { presentConnection } from './present-connection.ts'
import { rotateKey } from './rotate-key.ts'

/** The read of all settings and the test also need what imports this folder: enterprise.routes.ts. */
type OfConnections = Omit<typeof ssoConnectionsContract, 'ssoSettings' | 'testSsoConnection'>

export const connectionHandlers: Handlers<OfConnections> = {
  createSsoConnection: managed(async (scope, manager, body) =>
    presentConnection(scope, await createConnection(scope, manager, body)),
  ),
  updateSsoConnection: managed(async (scope, manager, body) =>
    presentConnection(scope, await updateConnection(scope, manager, body)),
  ),
  deleteSsoConnection: managed(async (scope, manager, body) => {
    await deleteConnection(scope, manager, body)
    return done
  }),
  readSsoMetadata: managed((scope, _manager, body) => importMetadata(scope, body)),
  rotateSsoKey: managed(async (scope, manager, body) =>
    presentConnection(scope, await rotateKey(scope, manager, body)),
  ),
}
