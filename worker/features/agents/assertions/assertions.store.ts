import { and, eq, gt, inArray, notLike, or, type SQL } from 'drizzle-orm'
import { accounts } from '../../../identity/model/accounts.table.ts'
import { users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { rowExists } from '../../../platform/statements.ts'
import { oauthAccessTokens as tokens } from '../../identity-provider/model/grants/grants.table.ts'
import { isActive } from '../../identity-provider/model/grants/tokens.store.ts'

/** A user while a client has a live grant of them: tokens that have neither expired nor been ended. */
export const selectGrantor = (db: Database, userId: string, clientId: string, now: Date) => {
  const live = and(
    eq(tokens.userId, users.id),
    eq(tokens.clientId, clientId),
    eq(tokens.securityVersion, users.securityVersion),
    notLike(tokens.accessToken, 'erased:%'),
    or(gt(tokens.accessTokenExpiresAt, now), gt(tokens.refreshTokenExpiresAt, now)),
  )
  return db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isActive(now), rowExists(tokens, live)))
}

/** The user with an account at a provider. */
export const selectUserOfAccount = (db: Database, providerId: string, accountId: string, now: Date) =>
  selectActive(
    db,
    inArray(
      users.id,
      db
        .select({ id: accounts.userId })
        .from(accounts)
        .where(and(eq(accounts.providerId, providerId), eq(accounts.accountId, accountId))),
    ),
    now,
  )

/** The user who has proven an address here. */
export const selectUserOfAddress = (db: Database, email: string, now: Date) =>
  selectActive(db, and(eq(users.email, email), eq(users.emailVerified, true)), now)

const selectActive = (db: Database, condition: SQL | undefined, now: Date) =>
  db
    .select()
    .from(users)
    .where(and(condition, isActive(now), eq(users.isAnonymous, false)))
