import { type Handlers, reading } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { identityProviderOptions, type Service } from '../../identity-provider/identity-provider.config.ts'
import { configuredResources } from '../../identity-provider/model/protocol/known-resources.ts'
import { selectOwners, selectResources } from '../../identity-provider/model/protocol/resources.store.ts'
import type { StoredResource } from '../../identity-provider/model/protocol/resources.table.ts'
import { normalResource } from '../../identity-provider/model/protocol/urls.ts'
import { showResource } from '../../identity-provider/resources/resources.ts'
import { selectServices } from '../services/services.store.ts'
import { presentService } from '../services/services.ts'
import type { overviewContract } from './overview.contract.ts'

export const overviewHandlers: Handlers<typeof overviewContract> = {
  listResources: reading(
    ({ scope }) => ({
      rows: selectResources(scope.db),
      owners: selectOwners(scope.db),
      services: selectServices(scope.db),
    }),
    ({ scope }, { rows, owners, services }) => ({
      resources: [...configuredOnes(scope), ...registeredOnes(scope, rows, owners)],
      services: [
        ...identityProviderOptions.of(scope).services.map(configuredService),
        ...services.map((row) => presentService(row, scope.now())),
      ],
    }),
  ),
}

function configuredOnes(scope: Scope) {
  const { resourceServers, accessTokenExpiresIn: lifetime } = identityProviderOptions.of(scope)
  return configuredResources(scope).map(({ identifier, scopes, tokenFormat, accessTokenExpiresIn, claims }) => ({
    ...{
      id: null,
      name: null,
      organization: null,
      identifier,
      scopes,
      tokenFormat,
      claims: [],
      addsClaims: claims !== null,
    },
    ...{ accessTokenExpiresIn: accessTokenExpiresIn ?? lifetime, ownLifetime: accessTokenExpiresIn },
    introspectedBy: Object.entries(resourceServers)
      .filter(([, served]) => served.map(normalResource).includes(normalResource(identifier)))
      .map(([clientId]) => clientId),
  }))
}

const registeredOnes = (
  scope: Scope,
  rows: readonly StoredResource[],
  owners: readonly { id: string; name: string }[],
) =>
  rows
    .filter(({ deletedAt }) => deletedAt === null)
    .map((row) => showResource(scope, row, owners.find(({ id }) => id === row.organizationId) ?? null))

function configuredService({ clientId, name, access, requireDPoP, limit, disabled, ...given }: Service) {
  const issuers = given.workloads.map(({ issuer }) => issuer)
  return {
    ...{ clientId, name: name || clientId, access, requireDPoP, limit, issuers, registered: false },
    state: disabled ? ('paused' as const) : ('active' as const),
    ...{ expiresAt: null, previousSecretEndsAt: null },
    credential: credentialOf(given),
  }
}

function credentialOf({
  clientSecret,
  jwks,
  jwksUri,
  workloads,
}: Pick<Service, 'clientSecret' | 'jwks' | 'jwksUri' | 'workloads'>) {
  if (clientSecret !== undefined) return 'secret' as const
  if (jwks !== undefined || jwksUri !== undefined) return 'key' as const
  return workloads.length > 0 ? ('workload' as const) : ('registered' as const)
}
