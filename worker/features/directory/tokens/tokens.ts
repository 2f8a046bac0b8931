import type { Caller, Scope } from '../../../identity/scope.ts'
import { basePath } from '../../../identity/settings.ts'
import { sha256 } from '../../../kit/hash.ts'
import { newKey } from '../../../kit/key-form.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { enterpriseErrors } from '../../enterprise/model/enterprise.errors.ts'
import { requireSsoManager, workOf } from '../../enterprise/model/managers.ts'
import { connectionQuery } from '../../enterprise/model/model.store.ts'
import { directoryOptions } from '../directory.config.ts'
import { directoryErrors as errors } from '../model/directory.errors.ts'
import type { DirectoryToken } from '../model/tokens.table.ts'
import * as store from './tokens.store.ts'

/** Secret scanners recognize a token by its prefix and checksum. */
export const directoryTokenPrefix = 'gh_scim_'

/** Characters after the prefix. */
export const directoryTokenLength = 48

interface OfConnection {
  organizationId?: string | undefined
  connectionId: string
}

/** The address of the directory of a connection. */
export const directoryUrl = ({ settings }: Pick<Scope, 'settings'>, connectionId: string): string =>
  `${settings.baseUrl}${basePath}/scim/v2/${connectionId}`

/** The manager, if the connection belongs to the organization. @throws SSO_CONNECTION_NOT_FOUND */
async function requireConnection(
  scope: Scope,
  caller: Caller,
  { organizationId, connectionId }: OfConnection,
  action: 'read' | 'update',
) {
  const manager = await requireSsoManager(scope, caller, organizationId, action)
  const [connection] = await connectionQuery(scope.db, manager.organizationId, connectionId)
  if (!connection) throw enterpriseErrors.SSO_CONNECTION_NOT_FOUND()
  return manager
}

const presentToken = (
  { tokenHash: _, connectionId: __, createdBy, ...token }: DirectoryToken,
  name: string | null,
) => ({
  ...token,
  createdBy: createdBy === null || name === null ? null : { id: createdBy, name },
})

export async function describeDirectory(scope: Scope, caller: Caller, of: OfConnection) {
  await requireConnection(scope, caller, of, 'read')
  const { tokens, access, groups } = await store.findDirectory(scope.db, of.connectionId)
  return {
    url: directoryUrl(scope, of.connectionId),
    tokens: tokens.map(({ token, creatorName }) => presentToken(token, creatorName)),
    users: access.reduce((sum, { entries }) => sum + entries, 0),
    groups: groups[0]?.entries ?? 0,
    access: Object.fromEntries(access.map(({ access: state, entries }) => [state, entries])),
  }
}

function makeToken(scope: Scope, caller: Caller, connectionId: string, expiresIn: number | null | undefined) {
  const shown = newKey(directoryTokenPrefix, directoryTokenLength)
  const now = scope.now()
  const row: DirectoryToken = {
    id: newId(),
    connectionId,
    start: shown.slice(0, directoryTokenPrefix.length + 4),
    tokenHash: sha256(shown),
    expiresAt: expiresIn ? after(now, expiresIn) : null,
    lastUsedAt: null,
    createdBy: caller.user.id,
    createdAt: now,
  }
  return { row, answer: { ...presentToken(row, caller.user.name), token: shown } }
}

const subjectOf = (id: string) => ({ subjectType: 'directory-token', subjectId: id })

const auditOf = ({ connectionId, expiresAt }: DirectoryToken) => ({
  connectionId,
  expiresAt: expiresAt?.toISOString() ?? null,
})

/** @returns the token, which the response shows once @throws MAXIMUM_NUMBER_OF_DIRECTORY_TOKENS_REACHED */
export async function createDirectoryToken(
  scope: Scope,
  caller: Caller,
  { expiresIn, ...of }: OfConnection & { expiresIn?: number | null | undefined },
) {
  const manager = await requireConnection(scope, caller, of, 'update')
  const { row, answer } = makeToken(scope, caller, of.connectionId, expiresIn)
  const work = workOf(scope, manager)
  work
    .run(store.insertToken(scope.db, row, directoryOptions.of(scope).maxTokens))
    .orFail(errors.MAXIMUM_NUMBER_OF_DIRECTORY_TOKENS_REACHED)
  work.audit({ ...subjectOf(row.id), after: auditOf(row) })
  await work.commit()
  return answer
}

/** Replaces a token. One rotation may exceed the cap by the token that it replaces. */
export async function rotateDirectoryToken(
  scope: Scope,
  caller: Caller,
  {
    tokenId,
    overlap,
    expiresIn,
    ...of
  }: OfConnection & { tokenId: string; overlap: number; expiresIn?: number | null | undefined },
) {
  const manager = await requireConnection(scope, caller, of, 'update')
  const { row, answer } = makeToken(scope, caller, of.connectionId, expiresIn)
  const work = workOf(scope, manager)
  const now = scope.now()
  work
    .run(store.limitToken(scope.db, of.connectionId, tokenId, now, after(now, overlap)))
    .orFail(errors.DIRECTORY_TOKEN_NOT_FOUND)
  work
    .run(store.insertToken(scope.db, row, directoryOptions.of(scope).maxTokens + 1))
    .orFail(errors.MAXIMUM_NUMBER_OF_DIRECTORY_TOKENS_REACHED)
  work.audit({ ...subjectOf(row.id), before: { tokenId }, after: { ...auditOf(row), overlap } })
  await work.commit()
  return answer
}

/** Revokes a token, whose requests fail from now on. @throws DIRECTORY_TOKEN_NOT_FOUND */
export async function revokeDirectoryToken(
  scope: Scope,
  caller: Caller,
  { tokenId, ...of }: OfConnection & { tokenId: string },
): Promise<void> {
  const manager = await requireConnection(scope, caller, of, 'update')
  const work = workOf(scope, manager)
  work.run(store.deleteToken(scope.db, of.connectionId, tokenId)).orFail(errors.DIRECTORY_TOKEN_NOT_FOUND)
  work.audit({ ...subjectOf(tokenId), before: { connectionId: of.connectionId } })
  await work.commit()
}
