import { and, asc, eq, like, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { type Condition, insertWhere, type Statement } from '../../platform/statements.ts'
import { type Task, tasks } from './tasks.table.ts'

/** Queries about put-off work. Every function is one round trip. */

/** @param when what has to hold at this place of the batch */
export const insertTask = (db: Database, task: Task, when?: Condition) =>
  when ? insertWhere(db, tasks, task, when) : db.insert(tasks).values(task)

/** Of which rows there are tasks: the parts of a SELECT. */
export interface TaskRows {
  /** What the payload calls the id. */
  key: string
  /** Unique among the rows. */
  id: SQL
  from: SQL
  where: Condition
}

/** For a batch: a task for each row. @param group begins their ids */
export function insertTasks(db: Database, group: string, kind: string, rows: TaskRows, now: Date): Statement {
  const task: Record<keyof Task, SQL> = {
    id: sql`${group} || ':' || ${rows.id}`,
    kind: sql`${kind}`,
    payload: sql`json_object(${rows.key}, ${rows.id})`,
    attempts: sql`0`,
    nextAt: sql`${now.getTime()}`,
    lastError: sql`null`,
    createdAt: sql`${now.getTime()}`,
  }
  const columns = sql.join(Object.values(task), sql`, `)
  return db.insert(tasks).select(sql`select ${columns} from ${rows.from} where ${rows.where}`)
}

export async function listTasksOf(db: Database, group: string): Promise<string[]> {
  const rows = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(like(tasks.id, `${group}:%`))
  return rows.map(({ id }) => id)
}

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

export const listDueTasks = (db: Database, now: Date, limit: number, without: readonly string[]) =>
  db
    .select({ id: tasks.id, kind: tasks.kind })
    .from(tasks)
    .where(and(lte(tasks.nextAt, now), notInArray(tasks.kind, [...without])))
    .orderBy(asc(tasks.nextAt))
    .limit(limit)
