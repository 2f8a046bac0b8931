import { type Handlers, reading } from '../../../http/routes.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { pageOf } from '../../../kit/page.ts'
import { identityProviderErrors } from '../identity-provider.errors.ts'
import { endTokens } from '../model/grants/ended-tokens.ts'
import { deleteTokens, ofConnection } from '../model/grants/tokens.store.ts'
import { words } from '../model/protocol/parameters.ts'
import type { connectionsContract } from './connections.contract.ts'
import { addDisconnection, isDisconnected, selectConnections } from './connections.store.ts'

export const connectionsHandlers: Handlers<typeof connectionsContract> = {
  listConnections: reading(
    ({ scope, own, query }) => ({ connections: selectConnections(scope.db, own.userId, pageOf(query)) }),
    (_call, { connections }) => connections.map((row) => ({ ...row, scopes: words(row.scopes) })),
  ),
  deleteConnection: async ({ scope, caller, body }) => {
    const work = unitOfWork(scope)
    const ofClient = ofConnection(caller.user.id, body.clientId)
    work.run(endTokens(scope, ofClient), { unlessAlready: isDisconnected(caller.user.id, body.clientId) })
    work.run(deleteTokens(scope.db, ofClient))
    const disconnected = addDisconnection(scope.db, work, caller.user.id, body.clientId)
    await work.commit()
    if (!disconnected.row) throw identityProviderErrors.CONNECTION_NOT_FOUND()
    return { status: true }
  },
}
