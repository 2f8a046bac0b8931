import type { Handlers } from '../../../http/routes.ts'
import { asManager, done } from '../model/as-manager.ts'
import type { ssoConnectionsContract } from './connections.contract.ts'
import { createConnection, deleteConnection, updateConnection } from './connections.ts'
import { importMetadata } from './metadata.ts'
import { presentConnection } from './present-connection.ts'
import { rotateKey } from './rotate-key.ts'

/** The read of all settings and the test also need what imports this folder: enterprise.routes.ts. */
type OfConnections = Omit<typeof ssoConnectionsContract, 'ssoSettings' | 'testSsoConnection'>

export const connectionHandlers: Handlers<OfConnections> = {
  createSsoConnection: asManager(async (scope, manager, body) =>
    presentConnection(scope, await createConnection(scope, manager, body)),
  ),
  updateSsoConnection: asManager(async (scope, manager, body) =>
    presentConnection(scope, await updateConnection(scope, manager, body)),
  ),
  deleteSsoConnection: asManager(async (scope, manager, body) => {
    await deleteConnection(scope, manager, body)
    return done
  }),
  readSsoMetadata: asManager((scope, _manager, body) => importMetadata(scope, body)),
  rotateSsoKey: asManager(async (scope, manager, body) =>
    presentConnection(scope, await rotateKey(scope, manager, body)),
  ),
}
