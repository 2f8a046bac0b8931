import type { Handlers } from '../../../http/routes.ts'
import { read } from '../../../platform/statements.ts'
import { createConnection, updateConnection } from '../connections/connections.ts'
import { importMetadata } from '../connections/metadata.ts'
import { presentConnection } from '../connections/present-connection.ts'
import { addDomain, presentDomain, verifyDomain } from '../domains/domains.ts'
import { asManager, done } from '../model/as-manager.ts'
import { mapping } from '../model/connection-config.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import type { SsoManager } from '../model/managers.ts'
import { setupQueries } from '../model/model.store.ts'
import { startTest } from '../sign-in/sign-in.ts'
import type { ssoSetupContract } from './setup.contract.ts'
import { createSetupLink, revokeSetupLink } from './setup.ts'

/** A connection without what follows from groups: roles and teams of the organization are for its members. */
function shown(...given: Parameters<typeof presentConnection>) {
  const connection = presentConnection(...given)
  const { email, name, groups } = connection.mapping
  return { ...connection, mapping: { email, name, groups } }
}

/** The endpoints of managers, and those for the holder of a set-up link, where the party is a manager. */
export const setupHandlers: Handlers<typeof ssoSetupContract> = {
  createSetupLink: asManager(createSetupLink),
  revokeSetupLink: asManager(async (scope, manager) => {
    await revokeSetupLink(scope, manager)
    return done
  }),
  readSetup: async ({ scope, party }) => {
    const { organizationId } = party as SsoManager
    const found = await read(scope.db, setupQueries(scope.db, organizationId))
    const [organization] = found.organizations
    const [link] = found.setupLinks
    if (!organization || !link) throw errors.SETUP_LINK_NOT_FOUND()
    return {
      organization: organization.name,
      expiresAt: link.expiresAt,
      connections: found.connections.map((connection) => shown(scope, connection)),
      domains: found.domains.map(presentDomain),
    }
  },
  setupCreateConnection: async ({ scope, party, body: { token: _token, ...body } }) =>
    shown(scope, await createConnection(scope, party, { ...body, mapping: mapping.parse(body.mapping ?? {}) })),
  setupUpdateConnection: async ({ scope, party, body: { token: _token, ...body } }) =>
    shown(scope, await updateConnection(scope, party, body)),
  setupReadMetadata: ({ scope, body: { url } }) => importMetadata(scope, { url }),
  setupTestConnection: async ({ scope, party, body }) => ({ url: await startTest(scope, party, body), redirect: true }),
  setupAddDomain: async ({ scope, party, body }) => presentDomain(await addDomain(scope, party, body)),
  setupVerifyDomain: async ({ scope, party, body }) => presentDomain(await verifyDomain(scope, party, body)),
}
