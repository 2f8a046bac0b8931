import { Buffer } from 'node:buffer'
import { getTableColumns } from 'drizzle-orm'
import type { Database } from '../platform/database.ts'
import type { PersonalRows } from '../platform/personal-rows.ts'
import { read } from '../platform/statements.ts'
import { type PersonalData, personalData } from './personal-data.ts'

/**
 * All stored data of a user as JSON: dates in ISO 8601, bytes in base64. One round trip.
 * @returns null for an unknown user
 */
export async function collectPersonalData(db: Database, userId: string): Promise<PersonalData | null> {
  const reads = Object.entries<PersonalRows>(personalData).map(([name, { table, of, without }]) => {
    const columns = Object.entries(getTableColumns(table)).filter(([column]) => !without.includes(column))
    return [name, db.select(Object.fromEntries(columns)).from(table).where(of(userId))] as const
  })
  const rows = await read(db, Object.fromEntries(reads))
  const data = Object.fromEntries(
    Object.entries(rows).map(([name, some]) => [name, (some as Record<string, unknown>[]).map(asJson)]),
  ) as PersonalData
  return data.user.length > 0 ? data : null
}

const asJson = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()]
      if (value instanceof Uint8Array) return [name, Buffer.from(value).toString('base64')]
      return [name, value]
    }),
  )
