import type { BatchItem } from 'drizzle-orm/batch'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { env } from './harness.ts'

export type Insertion = BatchItem<'sqlite'>

/** A statement that writes a row past all endpoints. */
export const insertion = <T extends SQLiteTable>(table: T, values: T['$inferInsert']): Insertion =>
  drizzle(env.DB).insert(table).values(values)

export async function runAll([first, ...more]: Insertion[]): Promise<void> {
  if (first) await drizzle(env.DB).batch([first, ...more])
}
