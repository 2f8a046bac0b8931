import { type Handlers, reading } from '../../../http/routes.ts'
import { membershipQuery } from '../../organization/model/membership.store.ts'
import { foundMembership } from '../../organization/model/membership.ts'
import { done, managed } from '../model/managed.ts'
import { managing, requireMay } from '../model/managers.ts'
import { settingsForMember } from '../model/model.store.ts'
import { presentSettings } from '../present-settings.ts'
import { startTest } from '../sign-in/sign-in.ts'
import type { ssoConnectionsContract } from './connections.contract.ts'
import { createConnection, deleteConnection, updateConnection } from './connections.ts'
import { importMetadata } from './metadata.ts'
import { presentConnection } from './present-connection.ts'
import { rotateKey } from './rotate-key.ts'

export const connectionHandlers: Handlers<typeof ssoConnectionsContract> = {
  ssoSettings: reading(
    ({ scope, own, query }) => {
      const key = { id: query.organizationId || own.ofSession('activeOrganizationId') }
      return {
        memberships: membershipQuery(scope.db, own.userId, key),
        ...settingsForMember(scope.db, own.userId, key),
      }
    },
    ({ scope, caller, query }, { memberships: [found], ...rows }) => {
      requireMay(scope, foundMembership(scope, caller, query.organizationId, found, managing), 'read')
      return presentSettings(scope, rows)
    },
  ),
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
  testSsoConnection: managed(async (scope, manager, body) => ({
    url: await startTest(scope, manager, body),
    redirect: true,
  })),
}
