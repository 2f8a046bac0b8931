import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { type Condition, insertWhere } from '../../platform/statements.ts'
import { type Task, tasks } from './tasks.table.ts'

/** Queries about put-off work. Every function is one round trip. */

/** @param when what has to hold at this place of the batch */
export const insertTask = (db: Database, task: Task, when?: Condition) =>
  when ? insertWhere(db, tasks, task, when) : db.insert(tasks).values(task)

/**
 * Takes a task for one try: whoever else asks for it before `until` gets nothing.
 * @returns null when it is done, not due, or somebody else's
 */
export async function leaseTask(db: Database, id: string, now: Date, until: (attempts: number) => Date) {
  const [found] = await db.select({ attempts: tasks.attempts }).from(tasks).where(eq(tasks.id, id))
  if (!found) return null
  const [task] = await db
    .update(tasks)
    .set({ attempts: sql`${tasks.attempts} + 1`, nextAt: until(found.attempts + 1) })
    .where(and(eq(tasks.id, id), eq(tasks.attempts, found.attempts), lte(tasks.nextAt, now)))
    .returning()
  return task ?? null
}

export const deleteTask = (db: Database, id: string) => db.delete(tasks).where(eq(tasks.id, id))

/** @param restsUntil no sooner than the lease says already */
export const noteFailure = (db: Database, { id, nextAt }: Task, lastError: string, restsUntil: Date) =>
  db
    .update(tasks)
    .set({ lastError, nextAt: restsUntil > nextAt ? restsUntil : nextAt })
    .where(eq(tasks.id, id))

export async function listDueTasks(db: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(lte(tasks.nextAt, now))
    .orderBy(asc(tasks.nextAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}
