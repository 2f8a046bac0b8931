import { and, eq, exists, ne, not, type SQL, sql } from 'drizzle-orm'
import { demand, type Statement } from '../../platform/statements.ts'
import { accounts, credentialProvider } from '../accounts/accounts.table.ts'
import { recordSessions, recordUser } from '../events/record.ts'
import type { EndedAccess } from '../lifecycle.ts'
import type { Scope } from '../scope.ts'
import { deleteSessions, sessionsOf } from '../sessions/sessions.store.ts'
import { forgetSessionsOf } from '../sessions/sessions.ts'
import { type User, users } from './users.table.ts'
import { userChanged } from './users.ts'

/** An identity at a provider, as accounts name it. */
export interface Identity {
  providerId: string
  accountId: string
}

/** A person whose address is proven, once the statements are written. */
export interface ProvenAddress {
  user: User
  /** For the batch of what the proof is for. They end it unless the address is still as it was read. */
  statements: Statement[]
  /** To be called when the batch is written. */
  written(): Promise<void>
}

/**
 * Somebody has proven that a user's address is theirs: by a mailed link or code, or by a provider's word. An address
 * that is proven for the first time takes the account from whoever had made it without a proof: password, identities,
 * numbers, passkeys, keys, second factor and sessions go, and with the security version all that is pending.
 * Everything else of the account stays.
 * @param keep what stays: the provider's identity that is the proof, where it is linked already; the password; or
 *   `keep`, everything, where it is known that whoever proves the address is who made the account
 */
export function proveAddress(
  scope: Scope,
  user: User,
  keep: { identity?: Identity | undefined; password?: boolean } | 'keep' = {},
): ProvenAddress {
  if (user.emailVerified) return { user, statements: [], written: async () => {} }
  const { db } = scope
  const { id, email, securityVersion } = user
  const now = scope.now()
  const unproven = and(
    eq(users.id, id),
    eq(users.email, email),
    eq(users.emailVerified, false),
    eq(users.securityVersion, securityVersion),
  )
  const when = exists(db.select({ one: sql`1` }).from(users).where(unproven))
  if (keep === 'keep') return onlyVerified(scope, user, when)
  const { identity, password = false } = keep
  const ended: EndedAccess[] = scope.lifecycle.endingAccess.map((end) => end(scope, id, when))
  const columns: Partial<User> = Object.assign({}, ...ended.map((one) => one.columns), {
    emailVerified: true,
    securityVersion: securityVersion + 1,
    updatedAt: now,
  })
  const proven: User = { ...user, ...columns }
  const those = and(sessionsOf(id), when)!
  return {
    user: proven,
    statements: [
      demand(db, when),
      ...recordSessions(scope, 'session.ended', those),
      deleteSessions(db, those),
      db
        .delete(accounts)
        .where(
          and(
            eq(accounts.userId, id),
            identity &&
              not(and(eq(accounts.providerId, identity.providerId), eq(accounts.accountId, identity.accountId))!),
            password ? ne(accounts.providerId, credentialProvider) : undefined,
            when,
          ),
        ),
      ...ended.flatMap(({ statements = [] }) => statements),
      db.update(users).set(columns).where(unproven),
      ...recordUser(scope, 'user.updated', id),
    ],
    async written() {
      forgetSessionsOf(scope, id)
      await userChanged(scope, proven)
    },
  }
}

/** The address becomes a verified one, and nothing else changes. */
function onlyVerified(scope: Scope, user: User, stillUnproven: SQL): ProvenAddress {
  const { db } = scope
  const proven: User = { ...user, emailVerified: true, updatedAt: scope.now() }
  return {
    user: proven,
    statements: [
      demand(db, stillUnproven),
      db.update(users).set({ emailVerified: true, updatedAt: proven.updatedAt }).where(eq(users.id, user.id)),
      ...recordUser(scope, 'user.updated', user.id),
    ],
    written: () => userChanged(scope, proven),
  }
}
