import { type Handlers, reading } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { identityProviderOptions, type Service } from '../identity-provider.config.ts'
import { configuredResources } from '../protocol/known-resources.ts'
import { selectResources } from '../protocol/resources.store.ts'
import type { StoredResource } from '../protocol/resources.table.ts'
import { normalResource } from '../protocol/urls.ts'
import type { overviewContract } from './overview.contract.ts'

export const overviewHandlers: Handlers<typeof overviewContract> = {
  listResources: reading(
    ({ scope }) => ({ rows: selectResources(scope.db) }),
    ({ scope }, { rows }) => ({
      resources: [...configuredOnes(scope), ...registeredOnes(scope, rows)],
      services: identityProviderOptions.of(scope).services.map(presentService),
    }),
  ),
}

function configuredOnes(scope: Scope) {
  const { resourceServers, accessTokenExpiresIn: lifetime } = identityProviderOptions.of(scope)
  return configuredResources(scope).map(({ identifier, scopes, tokenFormat, accessTokenExpiresIn, claims }) => ({
    ...{ id: null, name: null, identifier, scopes, tokenFormat, addsClaims: claims !== null },
    ...{ accessTokenExpiresIn: accessTokenExpiresIn ?? lifetime, ownLifetime: accessTokenExpiresIn },
    introspectedBy: Object.entries(resourceServers)
      .filter(([, served]) => served.map(normalResource).includes(normalResource(identifier)))
      .map(([clientId]) => clientId),
  }))
}

function registeredOnes(scope: Scope, rows: readonly StoredResource[]) {
  const { accessTokenExpiresIn: lifetime } = identityProviderOptions.of(scope)
  return rows
    .filter(({ deletedAt }) => deletedAt === null)
    .map(({ id, name, identifier, scopes, accessTokenExpiresIn, introspectedBy }) => ({
      ...{ id, name, identifier, scopes, introspectedBy, tokenFormat: 'opaque' as const, addsClaims: false },
      ...{ accessTokenExpiresIn: accessTokenExpiresIn ?? lifetime, ownLifetime: accessTokenExpiresIn },
    }))
}

function presentService({ clientId, name, access, requireDPoP, limit, disabled, ...given }: Service) {
  const issuers = given.workloads.map(({ issuer }) => issuer)
  return {
    ...{ clientId, name: name || clientId, access, requireDPoP, limit, disabled, issuers },
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
