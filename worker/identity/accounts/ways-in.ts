import { and, eq, exists, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import type { Condition, Expression } from '../../platform/statements.ts'
import { accounts, credentialProvider } from '../model/accounts.table.ts'
import { type User, users } from '../model/users.table.ts'
import { contributed } from '../registry.ts'
import type { Scope } from '../scope.ts'
import { coreErrors } from '../users/users.errors.ts'
import type { Work } from '../work.ts'
import { emailAndPasswordOptions } from './accounts.config.ts'

/**
 * The rule of the last sign-in method: a change may not remove it. Enabled features contribute conditions (`waysIn` of
 * the lifecycle). The conditions below are shared by several features.
 */

const never: Condition = sql`0`

const userHolds = (db: Database, userId: string | Expression, ...conditions: (SQL | undefined)[]): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.id, userId), ...conditions)),
  )

const accountHolds = (db: Database, userId: string | Expression, ...conditions: (SQL | undefined)[]): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(accounts)
      .where(and(eq(accounts.userId, userId), ...conditions)),
  )

/** Holds while the user has a verified address, which can receive a link, a code or a password reset. */
export const mailboxOpens = ({ db }: Scope, userId: string | Expression): Condition =>
  userHolds(db, userId, eq(users.emailVerified, true))

/**
 * Holds while the user has a password that the configuration accepts, and a value in an identifier column. A
 * placeholder address does not count. If addresses must be verified first, the user needs a real one; a number is
 * verified by its own code.
 */
export function passwordOpens({ db, options }: Scope, userId: string | Expression, name: keyof User): Condition {
  const { enabled, requireEmailVerification } = emailAndPasswordOptions.of({ options })
  if (!enabled) return never
  const needsAddress = name === 'email' || (name === 'username' && requireEmailVerification)
  return and(
    accountHolds(db, userId, eq(accounts.providerId, credentialProvider), isNotNull(accounts.password)),
    userHolds(db, userId, isNotNull(users[name]), needsAddress ? eq(users.emailIsPlaceholder, false) : undefined),
  )!
}

/** Holds while the user can sign in with address and password, or can reset the password by mail. */
export const addressOpens = (scope: Scope, userId: string | Expression): Condition =>
  emailAndPasswordOptions.of(scope).enabled
    ? or(passwordOpens(scope, userId, 'email'), mailboxOpens(scope, userId))!
    : never

/** Holds while the user has an identity at one of these providers. */
export const providersOpen = ({ db }: Scope, userId: string | Expression, providerIds: readonly string[]): Condition =>
  providerIds.length === 0
    ? never
    : accountHolds(
        db,
        userId,
        ne(accounts.providerId, credentialProvider),
        inArray(accounts.providerId, [...providerIds]),
      )

/**
 * For a unit of work that may remove a sign-in method: its batch checks that another one remains, so that one of two
 * parallel removals of the last two methods succeeds. A user without a method before may lose none.
 */
export function keepWayIn(scope: Scope, work: Work, userId: string): void {
  const has = or(never, ...contributed(scope, 'keeps', 'wayIn').map((opens) => opens(scope, userId)))!
  work.preserve(has, coreErrors.LAST_WAY_TO_SIGN_IN)
}
