import type { Scope } from '../../identity/scope.ts'
import { presentConnection } from './connections/present-connection.ts'
import { presentDomain } from './domains/domains.ts'
import type { settingsQueries } from './model/model.store.ts'
import { presentPolicy } from './policy/policy.ts'
import { presentSetupLink } from './setup/setup.ts'

type Queries = ReturnType<typeof settingsQueries>
type Rows = { [Name in keyof Queries]: Awaited<Queries[Name]> }

/** The single sign-on of an organization without secrets. */
export const presentSettings = (scope: Scope, { connections, domains, policies, breakGlass, setupLinks }: Rows) => ({
  connections: connections.map((connection) => presentConnection(scope, connection)),
  domains: domains.map(presentDomain),
  policy: presentPolicy(
    policies[0],
    breakGlass.map(({ memberId }) => memberId),
  ),
  setupLink: presentSetupLink(setupLinks[0], scope.now()),
})
