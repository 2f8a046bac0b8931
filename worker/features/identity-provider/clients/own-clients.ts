import type { Caller, Scope } from '../../../identity/scope.ts'
import { oauthError } from '../identity-provider.errors.ts'
import type { OAuthApplication } from '../identity-provider.table.ts'
import { words } from '../parameters.ts'
import { newSecret } from '../registration/registration.ts'
import { clientErrors as errors } from './clients.errors.ts'
import { deleteApplication, hasSecret, keepsSector, updateApplication } from './clients.store.ts'
import { authoritiesOf, redirectUriFault } from './redirect-uris.ts'

/** A client as its developer sees it; the secret is not among it. */
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

/** @throws NOTHING_TO_UPDATE, CLIENT_NOT_FOUND, invalid_redirect_uri */
export async function updateOwnClient(scope: Scope, { user }: Caller, { clientId, ...changes }: Changes) {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) throw errors.NOTHING_TO_UPDATE()
  for (const uri of changes.redirectURLs ?? []) {
    const fault = redirectUriFault(uri)
    if (fault) throw oauthError('invalid_redirect_uri', `${uri.slice(0, 100)} ${fault}`)
  }
  const condition = changes.redirectURLs && keepsSector(authoritiesOf(changes.redirectURLs))
  const values = { ...given, updatedAt: scope.now() }
  const row = await updateApplication(scope.db, clientId, user.id, values, condition)
  if (row === 'not-theirs') throw errors.CLIENT_NOT_FOUND()
  if (!row) {
    throw oauthError('invalid_redirect_uri', 'pairwise subjects need redirect URIs of the host that was registered')
  }
  return presentOwnClient(row)
}

/** @throws CLIENT_NOT_FOUND; also for a client that has no secret, and needs none */
export async function rotateSecret(scope: Scope, { user }: Caller, clientId: string) {
  const { secret, hash } = newSecret()
  const values = { clientSecret: hash, updatedAt: scope.now() }
  const row = await updateApplication(scope.db, clientId, user.id, values, hasSecret)
  if (!row || row === 'not-theirs') throw errors.CLIENT_NOT_FOUND()
  return { clientId, clientSecret: secret }
}

/** @throws CLIENT_NOT_FOUND */
export async function deleteOwnClient(scope: Scope, { user }: Caller, clientId: string): Promise<void> {
  if (!(await deleteApplication(scope.db, clientId, user.id))) throw errors.CLIENT_NOT_FOUND()
}
