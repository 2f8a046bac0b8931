import { and, count, eq, exists, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { accounts, credentialProvider } from '../../identity/accounts/accounts.table.ts'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, demand, insertWhere, type Statement } from '../../platform/statements.ts'
import { type Passkey, passkeys } from './passkey.table.ts'

/** Queries about passkeys. Every function is one round trip. */

const other = alias(passkeys, 'other')

/** For a batch too. */
export const listPasskeys = (db: Database, userId: string | SQL<string>) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.createdAt)

/** For administrators: a person's passkeys, without their keys. */
export const describePasskeysOf = (db: Database, userId: string) =>
  db
    .select({
      id: passkeys.id,
      name: passkeys.name,
      backedUp: passkeys.backedUp,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(passkeys.createdAt)

/** A passkey and whose it is. */
export async function findByCredential(
  db: Database,
  credentialID: string,
): Promise<{ passkey: Passkey; user: User } | null> {
  const [row] = await db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialID, credentialID))
  return row ?? null
}

const exist = (condition: SQL | undefined): SQL => sql`exists (select 1 from ${passkeys} where ${condition})`

/**
 * Stores a passkey of a user whose ways in have not been ended since `securityVersion`, and who has fewer than `maximum`.
 * @returns whether it did
 * @throws a UNIQUE violation when the credential is registered already
 */
export async function addPasskey(
  db: Database,
  passkey: Passkey,
  { securityVersion, maximum }: { securityVersion: number; maximum: number },
): Promise<boolean> {
  const { userId } = passkey
  const rows = await insertWhere(
    db,
    passkeys,
    passkey,
    and(
      sql`exists (select 1 from ${users} where ${and(eq(users.id, userId), eq(users.securityVersion, securityVersion))})`,
      sql`(select count(*) from ${passkeys} where ${eq(passkeys.userId, userId)}) < ${maximum}`,
    )!,
  ).returning({ id: passkeys.id })
  return rows.length > 0
}

/** For a batch: the first passkey of somebody new. */
export const insertPasskey = (db: Database, passkey: Passkey): Statement => db.insert(passkeys).values(passkey)

/** What a use changes: the counter, whether the key has been copied, and when it was. */
export interface Use {
  counter: number
  backedUp: boolean
  lastUsedAt: Date
}

/** A counter that counts has to have grown; one that never counts stays at 0 (WebAuthn, section 7.2, step 22). */
const hasGrown = (counter: number) => (counter === 0 ? eq(passkeys.counter, 0) : sql`${passkeys.counter} < ${counter}`)

/**
 * For a batch: records a use, and ends the batch when the passkey is gone or its counter has been passed in the
 * meantime.
 */
export const recordUse = (db: Database, { id }: Passkey, use: Use): Statement[] => [
  demand(db, exist(and(eq(passkeys.id, id), hasGrown(use.counter)))),
  db.update(passkeys).set(use).where(eq(passkeys.id, id)),
]

/** @returns the passkey as it is now; null when the user has no such */
export async function renamePasskey(
  db: Database,
  { id, userId }: Pick<Passkey, 'id' | 'userId'>,
  name: string,
): Promise<Passkey | null> {
  const [row] = await db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning()
  return row ?? null
}

export async function passkeyExists(db: Database, id: string): Promise<boolean> {
  const [row] = await db.select({ n: count() }).from(passkeys).where(eq(passkeys.id, id))
  return (row?.n ?? 0) > 0
}

/**
 * Deletes a passkey, unless its owner could not sign in any more.
 * @param open whether a password, a verified address and a verified number are ways in
 * @returns whether it was deleted
 */
export async function deletePasskey(
  db: Database,
  { id, userId }: Pick<Passkey, 'id' | 'userId'>,
  open: { password: boolean; mailbox: boolean; phone: boolean },
): Promise<boolean> {
  const one = { one: sql`1` }
  const another = db
    .select(one)
    .from(other)
    .where(and(eq(other.userId, userId), ne(other.id, id)))
  const account = db
    .select(one)
    .from(accounts)
    .where(and(eq(accounts.userId, userId), open.password ? undefined : ne(accounts.providerId, credentialProvider)))
  const proven = db
    .select(one)
    .from(users)
    .where(
      and(
        eq(users.id, userId),
        or(
          open.phone ? eq(users.phoneNumberVerified, true) : undefined,
          open.mailbox ? eq(users.emailVerified, true) : undefined,
          sql`false`,
        ),
      ),
    )
  const rows = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId), or(exists(another), exists(account), exists(proven))))
    .returning({ id: passkeys.id })
  return rows.length > 0
}

/** For a batch: the passkeys of a user, under a condition. */
export const deletePasskeysWhen = (db: Database, userId: string, when: Condition): Statement =>
  db.delete(passkeys).where(and(eq(passkeys.userId, userId), when))
