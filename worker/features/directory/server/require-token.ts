import { limitExactly } from '../../../http/edge/rate-limit.ts'
import type { Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { hasKeyForm } from '../../../kit/key-form.ts'
import { minutes, ms } from '../../../kit/time.ts'
import { addressBucket } from '../../../platform/client-address.ts'
import type { CounterRule } from '../../../platform/durable/counter-rule.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { directoryOptions } from '../directory.config.ts'
import type { DirectoryToken } from '../model/tokens.table.ts'
import { scimError } from '../protocol/scim.errors.ts'
import { findToken, touchToken } from '../tokens/tokens.store.ts'
import { directoryTokenLength, directoryTokenPrefix } from '../tokens/tokens.ts'

/** Requests of one address with tokens that do not exist: an exact guess is impossible, but each one costs a read. */
const unknownTokens: CounterRule = { max: 30, window: minutes(1) }

/**
 * The access `directory`: verifies the bearer token of a request for a connection. A token of another connection is an
 * unknown one. @returns the connection
 */
export async function requireDirectoryToken(
  scope: Scope,
  { params }: { params: unknown },
): Promise<{ connection: Connection; tokenId: string }> {
  const shown = /^bearer +(\S+)$/i.exec(scope.request.headers.get('authorization') ?? '')?.[1] ?? ''
  // A text without the checksum is rejected without a read.
  if (!isToken(shown)) throw scimError('SCIM_UNAUTHORIZED')
  const found = await findToken(scope.db, sha256(shown))
  const now = scope.now()
  const isValid = found && (found.token.expiresAt === null || found.token.expiresAt > now)
  if (!isValid || found.connection.id !== (params as { connection: string }).connection) {
    await limitExactly(scope, `unknown-directory-token:${addressBucket(scope.request.ip)}`, unknownTokens)
    throw scimError('SCIM_UNAUTHORIZED')
  }
  const { token, connection } = found
  await countOperations(scope, token.id)
  if (connection.state === 'disabled') throw scimError('SCIM_FORBIDDEN', 'The connection is disabled')
  scope.auditing.actor = { type: 'directory', id: null, via: connection.id }
  scope.auditing.organizationId = connection.organizationId
  touch(scope, token, now)
  return { connection, tokenId: token.id }
}

/** Counts operations of a token. @throws TOO_MANY_REQUESTS */
export const countOperations = (scope: Scope, tokenId: string, by = 1): Promise<void> =>
  limitExactly(scope, `directory-token:${tokenId}`, { ...directoryOptions.of(scope).rateLimit, by })

const isToken = (text: string): boolean =>
  text.length === directoryTokenPrefix.length + directoryTokenLength &&
  text.startsWith(directoryTokenPrefix) &&
  hasKeyForm(text)

/** Writes the last use after the response, at most once a minute. */
function touch(scope: Scope, { id, lastUsedAt }: DirectoryToken, now: Date): void {
  const minuteAgo = now.getTime() - ms(minutes(1))
  if (lastUsedAt && lastUsedAt.getTime() > minuteAgo) return
  scope.after(() => touchToken(scope.db, id, now, new Date(minuteAgo)).run())
}
