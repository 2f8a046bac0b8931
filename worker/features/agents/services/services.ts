import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { after, days } from '../../../kit/time.ts'
import { identityProviderErrors as errors } from '../../identity-provider/identity-provider.errors.ts'
import { clientCredentialsGrantType, newClientSecret, stateOf } from '../../identity-provider/model/clients/client.ts'
import type { OAuthApplication, StoredService } from '../../identity-provider/model/clients/clients.table.ts'
import { draftMachine, type GivenKeys, registeredKeys } from '../../identity-provider/model/clients/new-client.ts'
import { endTokensOfClient } from '../../identity-provider/model/grants/ended-tokens.ts'
import { organizationOf, readResources } from '../../identity-provider/model/protocol/known-resources.ts'
import { readAccess } from '../../identity-provider/model/protocol/resources.ts'
import * as store from './services.store.ts'

type Access = Readonly<Record<string, readonly string[]>>

/** @throws Error for a client that is not a service */
export function presentService(row: OAuthApplication, now: Date) {
  if (!row.service) throw new Error(`the client ${row.clientId} is not a service`)
  const state = stateOf(row, now)
  const { clientId, name, expiresAt, previousSecretEndsAt: end } = row
  return {
    ...{ clientId, name, ...row.service, expiresAt, registered: true },
    credential: row.clientSecret === null ? ('key' as const) : ('secret' as const),
    issuers: [],
    state: state === 'revoked' ? ('paused' as const) : state,
    previousSecretEndsAt: end !== null && end > now ? end : null,
  }
}

/** The access of a service, without resources of organizations. @throws INVALID_SERVICE_ACCESS */
async function accessOf(scope: Scope, given: Access): Promise<Record<string, string[]>> {
  await readResources(scope)
  const access = readAccess(scope, given)
  if (access === null || Object.keys(access).some((resource) => organizationOf(scope, resource) !== null)) {
    throw errors.INVALID_SERVICE_ACCESS()
  }
  return access
}

const endsAfter = (now: Date, given: number | null): Date | null => (given === null ? null : after(now, days(given)))

const auditOf = (clientId: string) => ({ subjectType: 'oauth-client', subjectId: clientId })

interface NewService extends GivenKeys, Omit<StoredService, 'access'> {
  name: string
  access: Access
  days: number | null
}

/** @throws INVALID_SERVICE_ACCESS, INVALID_SERVICE_KEYS, SERVICE_LIMIT_REACHED */
export async function createService(scope: Scope, { name, limit, requireDPoP, ...given }: NewService) {
  const service = { access: await accessOf(scope, given.access), limit, requireDPoP }
  const now = scope.now()
  const draft = {
    ...{ name, service, userId: null, organizationId: null, agent: null },
    expiresAt: endsAfter(now, given.days),
    registration: { grant_types: [clientCredentialsGrantType], response_types: [] },
  }
  const { row, secret } = draftMachine(scope, draft, given, errors.INVALID_SERVICE_KEYS)
  const work = unitOfWork(scope)
  work.require(store.hasFewerServices, errors.SERVICE_LIMIT_REACHED)
  work.run(store.insertService(scope.db, row))
  work.audit({ ...auditOf(row.clientId), action: 'create-service', after: { name, ...service, days: given.days } })
  await work.commit()
  return { service: presentService(row, now), clientSecret: secret }
}

type Changes = { clientId: string; state?: 'active' | 'paused' | undefined } & {
  [K in keyof NewService]?: NewService[K] | undefined
}

/**
 * Changes what is given. While the service is not active, and at once for a scope that it loses, its tokens are invalid.
 * @throws SERVICE_NOT_FOUND, NOTHING_TO_UPDATE, INVALID_SERVICE_ACCESS, INVALID_SERVICE_KEYS
 */
export async function updateService(scope: Scope, { clientId, ...given }: Changes) {
  const { name, limit, requireDPoP, state, jwks, jwksUri } = given
  if (Object.values(given).every((value) => value === undefined)) throw errors.NOTHING_TO_UPDATE()
  const [row] = await store.selectService(scope.db, clientId)
  if (!row?.service) throw errors.SERVICE_NOT_FOUND()
  const now = scope.now()
  const service: StoredService = {
    access: given.access ? await accessOf(scope, given.access) : row.service.access,
    limit: limit ?? row.service.limit,
    requireDPoP: requireDPoP ?? row.service.requireDPoP,
  }
  const withKeys = jwks !== undefined || jwksUri !== undefined
  if (withKeys && row.clientSecret !== null) throw errors.INVALID_SERVICE_KEYS()
  const { jwks: _, jwks_uri: __, ...registration } = row.registration
  const changes: Partial<OAuthApplication> = {
    service,
    updatedAt: now > row.updatedAt ? now : new Date(row.updatedAt.getTime() + 1),
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state }),
    ...(given.days === undefined ? {} : { expiresAt: endsAfter(now, given.days) }),
    ...(withKeys
      ? { registration: { ...registration, ...registeredKeys(scope, { jwks, jwksUri }, errors.INVALID_SERVICE_KEYS) } }
      : {}),
  }
  const work = unitOfWork(scope)
  // A JWT states its scopes until it expires.
  if (state === 'paused' || given.access) work.run(endTokensOfClient(scope, store.isService(clientId)))
  const updated = work.run(store.updateService(scope.db, row, changes), { unlessUnchanged: true }).orFail()
  const { registration: keys, updatedAt: _updatedAt, ...after } = changes
  work.audit({ ...auditOf(clientId), action: 'update-service', after: { ...after, keys: keys !== undefined } })
  await work.commit()
  return presentService(updated.row, now)
}

/** @param overlap seconds for which the earlier secret is valid @throws SERVICE_NOT_FOUND, also for one with keys */
export async function rotateSecret(scope: Scope, clientId: string, overlap: number) {
  const { secret, hash } = newClientSecret()
  const now = scope.now()
  const work = unitOfWork(scope)
  const rotation = { secret: hash, previousEndsAt: after(now, overlap), now }
  const updated = work.run(store.rotateSecret(scope.db, clientId, rotation)).orFail(errors.SERVICE_NOT_FOUND)
  work.audit({ ...auditOf(clientId), action: 'rotate-service-secret', after: { overlap } })
  await work.commit()
  return { service: presentService(updated.row, now), clientSecret: secret }
}

/** Its tokens are void without it. @throws SERVICE_NOT_FOUND */
export async function deleteService(scope: Scope, clientId: string): Promise<void> {
  const work = unitOfWork(scope)
  work.run(endTokensOfClient(scope, store.isService(clientId)))
  work.run(store.deleteService(scope.db, clientId)).orFail(errors.SERVICE_NOT_FOUND)
  work.audit({ ...auditOf(clientId), action: 'delete-service' })
  await work.commit()
}
