import type { Buffer } from 'node:buffer'
import { eq, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import type { Statement } from '../../platform/statements.ts'
import { avatars } from './avatar.table.ts'

/** Queries about pictures. Every function is one round trip. */

/** Puts a picture in the place of an earlier one, and its address into the user. @param also written after it. @returns the user as it is now */
export async function replaceAvatar(
  db: Database,
  picture: { userId: string; name: string; bytes: Buffer; createdAt: Date },
  image: string,
  also: readonly Statement[],
): Promise<User | null> {
  const { userId, name, bytes, createdAt } = picture
  const [, [user]] = await db.batch([
    db.insert(avatars).values(picture).onConflictDoUpdate({ target: avatars.userId, set: { name, bytes, createdAt } }),
    db.update(users).set({ image, updatedAt: createdAt }).where(eq(users.id, userId)).returning(),
    ...also,
  ])
  return user ?? null
}

export async function findAvatar(db: Database, name: string): Promise<Buffer | null> {
  const [row] = await db.select({ bytes: avatars.bytes }).from(avatars).where(eq(avatars.name, name))
  return row?.bytes ?? null
}

/** Deletes pictures whose user shows another one, or none. */
export const deleteUnusedAvatars = (db: Database) =>
  db.delete(avatars).where(
    sql`not exists (select 1 from ${users} where ${users.id} = ${avatars.userId}
        and instr(coalesce(${users.image}, ''), ${avatars.name}) > 0)`,
  )
