import type { Handlers } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { asResourceServer, identityProviderOptions, type Service } from '../identity-provider.config.ts'
import { accessTokenLifetime } from '../protocol/resources.ts'
import { normalResource } from '../protocol/urls.ts'
import type { overviewContract } from './overview.contract.ts'

export const overviewHandlers: Handlers<typeof overviewContract> = {
  listResources: ({ scope }) => ({
    resources: resourcesOf(scope),
    services: identityProviderOptions.of(scope).services.map(presentService),
  }),
}

function resourcesOf(scope: Scope) {
  const { resources, resourceServers } = identityProviderOptions.of(scope)
  return resources.map(asResourceServer).map(({ identifier, scopes, tokenFormat, claims }) => ({
    ...{ identifier, scopes, tokenFormat, addsClaims: claims !== null },
    accessTokenExpiresIn: accessTokenLifetime(scope, normalResource(identifier)),
    introspectedBy: Object.entries(resourceServers)
      .filter(([, served]) => served.map(normalResource).includes(normalResource(identifier)))
      .map(([clientId]) => clientId),
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
