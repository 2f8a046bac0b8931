import { Buffer } from 'node:buffer'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { type ArchivePlace, placesBefore } from '../identity/audit-archive/segments.store.ts'
import { users } from '../identity/model/users.table.ts'
import type { Database } from '../platform/database.ts'
import type { PersonalRows } from '../platform/personal-rows.ts'
import { read } from '../platform/statements.ts'
import { type PersonalData, personalData } from './personal-data.ts'

/**
 * All data of a user in D1 as JSON: dates in ISO 8601, bytes in base64. One round trip.
 * @param limit places of the archive
 * @returns null for an unknown user
 */
export async function collectPersonalData(
  db: Database,
  userId: string,
  limit: number,
): Promise<{ data: PersonalData; places: ArchivePlace[] } | null> {
  const reads = Object.entries<PersonalRows>(personalData).map(([name, { table, of, without }]) => {
    const columns = Object.entries(getTableColumns(table)).filter(([column]) => !without.includes(column))
    return [name, db.select(Object.fromEntries(columns)).from(table).where(of(userId))] as const
  })
  const { places, ...rows } = await read(db, {
    ...Object.fromEntries(reads),
    places: placesAbout(db, userId, null, limit),
  })
  const data = Object.fromEntries(
    Object.entries(rows).map(([name, some]) => [name, (some as Record<string, unknown>[]).map(asJson)]),
  ) as unknown as PersonalData
  return data.user.length > 0 ? { data, places: places as ArchivePlace[] } : null
}

/** The places of the archive since the creation of a user, newest first. */
export const placesAbout = (db: Database, userId: string, before: number | null, limit: number) =>
  placesBefore(
    db,
    { before, since: sql`(select ${users.createdAt} from ${users} where ${users.id} = ${userId})` },
    limit,
  )

export const userWithId = (db: Database, userId: string) =>
  db.select({ id: users.id }).from(users).where(eq(users.id, userId))

/** The same tables without rows. */
export const noPersonalData = (): PersonalData =>
  Object.fromEntries(Object.keys(personalData).map((name) => [name, []])) as unknown as PersonalData

const asJson = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()]
      if (value instanceof Uint8Array) return [name, Buffer.from(value).toString('base64')]
      return [name, value]
    }),
  )
