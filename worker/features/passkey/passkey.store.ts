import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/model/users.table.ts'
import type { Work } from '../../identity/work.ts'
import { firstPage, type Page, pageSize } from '../../kit/page.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, insertWhere, type Statement } from '../../platform/statements.ts'
import { type Passkey, passkeys } from './passkey.table.ts'

/** Also for a batch. */
export const listPasskeys = (db: Database, userId: string | SQL<string>, { limit, offset }: Page = firstPage) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.createdAt).limit(limit).offset(offset)

/** For administrators: a user's passkeys, without their keys. */
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
    .limit(pageSize)

/** A passkey and its owner. */
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

/** Holds while a user has a passkey. */
export const hasPasskey = (userId: string | SQL): Condition => exist(eq(passkeys.userId, userId))

export async function userHasPasskey(db: Database, userId: string): Promise<boolean> {
  const [row] = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1)
  return row !== undefined
}

/** Stores a passkey; returns a row unless the security version has changed or the user has `maximum` of them. */
export function addPasskey(
  db: Database,
  passkey: Passkey,
  { securityVersion, maximum }: { securityVersion: number; maximum: number },
) {
  const { userId } = passkey
  return insertWhere(
    db,
    passkeys,
    passkey,
    and(
      sql`exists (select 1 from ${users} where ${and(eq(users.id, userId), eq(users.securityVersion, securityVersion))})`,
      sql`(select count(*) from ${passkeys} where ${eq(passkeys.userId, userId)}) < ${maximum}`,
    )!,
  ).returning({ id: passkeys.id })
}

/** The first passkey of a new user. */
export const insertPasskey = (db: Database, passkey: Passkey): Statement => db.insert(passkeys).values(passkey)

/** The changes after a use: the counter, the backup state and the time. */
export interface PasskeyUse {
  counter: number
  backedUp: boolean
  lastUsedAt: Date
}

/** A nonzero counter must increase; an unused counter stays at 0 (WebAuthn, section 7.2, step 22). */
const hasGrown = (counter: number) => (counter === 0 ? eq(passkeys.counter, 0) : sql`${passkeys.counter} < ${counter}`)

/** Records a use. Requires that the passkey exists and that its counter is still lower. */
export function recordPasskeyUse(db: Database, work: Work, { id }: Passkey, use: PasskeyUse): void {
  work.require(exist(and(eq(passkeys.id, id), hasGrown(use.counter))))
  work.run(db.update(passkeys).set(use).where(eq(passkeys.id, id)))
}

/** @returns the passkey after the update; null if the user does not have it */
export const renamePasskey = (db: Database, { id, userId }: Pick<Passkey, 'id' | 'userId'>, name: string) =>
  db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning()

export async function passkeyExists(db: Database, id: string): Promise<boolean> {
  const [row] = await db.select({ n: count() }).from(passkeys).where(eq(passkeys.id, id))
  return (row?.n ?? 0) > 0
}

/** Deletes a passkey. Returns its row, if the user has it. */
export const deletePasskey = (db: Database, { id, userId }: Pick<Passkey, 'id' | 'userId'>) =>
  db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ id: passkeys.id })

/** Deletes the passkeys of a user under a condition. */
export const deletePasskeysWhen = (db: Database, userId: string, when: Condition): Statement =>
  db.delete(passkeys).where(and(eq(passkeys.userId, userId), when))
