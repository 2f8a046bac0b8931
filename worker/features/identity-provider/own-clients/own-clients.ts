import type { Caller, Scope } from '../../../identity/scope.ts'
import { securityEvent } from '../../../identity/security/security-events.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { identityProviderErrors as errors, oauthError } from '../identity-provider.errors.ts'
import { newClientSecret } from '../model/clients/client.ts'
import { bearsName, reservedName } from '../model/clients/client-name.ts'
import type { OAuthApplication } from '../model/clients/clients.table.ts'
import { redirectUriFault } from '../model/clients/redirect-uris.ts'
import { endClient } from '../model/grants/ended-tokens.ts'
import { words } from '../model/protocol/parameters.ts'
import {
  allowsRedirectUris,
  deleteApplication,
  findOwnApplication,
  findSecretHash,
  isOwned,
  isOwnedBy,
  secretIs,
  updateApplication,
} from './own-clients.store.ts'

/** What a developer sees of a client, without its secret. */
export const presentOwnClient = (row: OAuthApplication) => ({
  clientId: row.clientId,
  name: row.name,
  icon: row.icon,
  uri: row.registration.client_uri ?? null,
  redirectURLs: row.redirectURLs,
  scopes: words(row.registration.scope),
  authenticationMethod: row.authenticationScheme,
  disabled: row.disabled,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

interface Changes {
  clientId: string
  name?: string | undefined
  redirectURLs?: string[] | undefined
  disabled?: boolean | undefined
}

const auditedFields = ['name', 'redirectURLs', 'disabled'] as const

const valuesOf = (from: Partial<Changes>, names: readonly (typeof auditedFields)[number][]) =>
  Object.fromEntries(names.map((name) => [name, from[name]]))

const subject = (clientId: string) => ({ subjectType: 'oauth-client', subjectId: clientId })

/** A change that changes nothing writes nothing. @throws NOTHING_TO_UPDATE, CLIENT_NOT_FOUND, invalid_redirect_uri, invalid_client_metadata */
export async function updateOwnClient(scope: Scope, { user, session }: Caller, { clientId, ...changes }: Changes) {
  const names = auditedFields.filter((name) => changes[name] !== undefined)
  if (names.length === 0) throw errors.NOTHING_TO_UPDATE()
  for (const uri of changes.redirectURLs ?? []) {
    const fault = redirectUriFault(uri)
    if (fault) throw oauthError('invalid_redirect_uri', `${uri.slice(0, 100)} ${fault}`)
  }
  if (changes.name !== undefined && bearsName(changes.name, scope.settings.appName)) {
    throw oauthError('invalid_client_metadata', reservedName)
  }
  const before = await findOwnApplication(scope.db, clientId, user.id)
  if (!before) throw errors.CLIENT_NOT_FOUND()
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(changes[name]))
  if (changed.length === 0) return presentOwnClient(before)
  const values = { ...valuesOf(changes, changed), updatedAt: scope.now() }
  const condition = changes.redirectURLs && allowsRedirectUris(changes.redirectURLs)
  const work = unitOfWork(scope)
  work.require(isOwned(clientId, user.id), errors.CLIENT_NOT_FOUND)
  if (changes.disabled) work.run(endClient(scope, clientId, isOwnedBy(clientId, user.id)))
  const updated = work
    .run(updateApplication(scope.db, clientId, user.id, values, condition), { unlessUnchanged: true })
    .orFail(() =>
      oauthError(
        'invalid_redirect_uri',
        'pairwise subjects need redirect URIs of the registered host, private schemes need application_type native',
      ),
    )
  work.audit({ ...subject(clientId), before: valuesOf(before, changed), after: valuesOf(changes, changed) })
  if (changed.some((name) => name !== 'name')) {
    const details = { clientId, client: before.name }
    securityEvent(scope, work, { type: 'oauth-client-changed', user, sessionId: session.id, details })
  }
  await work.commit()
  return presentOwnClient(updated.row)
}

/** Replaces the secret that was read. @throws CLIENT_NOT_FOUND, also if another request has just replaced it */
export async function rotateOwnClientSecret(scope: Scope, { user, session }: Caller, clientId: string) {
  const before = await findSecretHash(scope.db, clientId, user.id)
  if (before === null) throw errors.CLIENT_NOT_FOUND()
  const { secret, hash } = newClientSecret()
  const values = { clientSecret: hash, updatedAt: scope.now() }
  const work = unitOfWork(scope)
  work.run(updateApplication(scope.db, clientId, user.id, values, secretIs(before))).orFail(errors.CLIENT_NOT_FOUND)
  securityEvent(scope, work, { type: 'client-secret-rotated', user, sessionId: session.id, details: { clientId } })
  await work.commit()
  return { clientId, clientSecret: secret }
}

/** @throws CLIENT_NOT_FOUND */
export async function deleteOwnClient(scope: Scope, { user, session }: Caller, clientId: string): Promise<void> {
  const before = await findOwnApplication(scope.db, clientId, user.id)
  if (!before) throw errors.CLIENT_NOT_FOUND()
  const work = unitOfWork(scope)
  work.run(endClient(scope, clientId, isOwnedBy(clientId, user.id)))
  work.run(deleteApplication(scope.db, clientId, user.id)).orFail(errors.CLIENT_NOT_FOUND)
  work.audit({ ...subject(clientId), before: valuesOf(before, auditedFields) })
  const details = { clientId, client: before.name }
  securityEvent(scope, work, { type: 'oauth-client-deleted', user, sessionId: session.id, details })
  await work.commit()
}
