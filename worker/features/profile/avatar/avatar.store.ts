import type { Buffer } from 'node:buffer'
import { eq } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { avatars } from './avatar.table.ts'

/** Queries about images. Each function is one round trip. */

interface Picture {
  userId: string
  name: string
  bytes: Buffer
  createdAt: Date
}

/** Stores an image in place of an earlier one of the user. */
export const upsertAvatar = (db: Database, picture: Picture) => {
  const { name, bytes, createdAt } = picture
  return db
    .insert(avatars)
    .values(picture)
    .onConflictDoUpdate({ target: avatars.userId, set: { name, bytes, createdAt } })
}

export const setImage = (db: Database, { userId, createdAt }: Picture, image: string) =>
  db.update(users).set({ image, updatedAt: createdAt }).where(eq(users.id, userId)).returning()

export async function findAvatar(db: Database, name: string): Promise<Buffer | null> {
  const [row] = await db.select({ bytes: avatars.bytes }).from(avatars).where(eq(avatars.name, name))
  return row?.bytes ?? null
}
