import { open, seal } from '../../kit/encrypt.ts'
import { TryLater } from '../../kit/errors.ts'
import { newId } from '../../kit/random.ts'
import { after, hours, minutes } from '../../kit/time.ts'
import { reasonOf } from '../../platform/log.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import * as store from './tasks.store.ts'

/** How long (s) what has failed rests, by the tries it has had; the last one from then on. */
export const pauses: readonly number[] = [minutes(1), minutes(5), minutes(15), hours(1), hours(4)]
const pauseAfter = (attempts: number) => pauses[Math.min(attempts, pauses.length) - 1]!

/** The most tasks that one run of the cron trigger does. */
const mostAtOnce = 200

/**
 * For a batch: writes work down that follows from what the batch does. It is tried as soon as the answer is out, and
 * again by the cron trigger until it succeeds. Its handler may see it twice.
 * @param when what has to hold at this place of the batch; otherwise there is nothing to do
 */
export async function taskStatements(
  scope: Scope,
  kind: string,
  payload: unknown,
  when?: Condition,
): Promise<Statement[]> {
  const id = newId()
  const now = scope.now()
  const sealed = await seal(scope.settings.secrets, JSON.stringify(payload))
  // When the batch is not written there is no row, and nothing is done.
  scope.after(() => tryTask(scope, id))
  const row = {
    id,
    kind,
    payload: sealed,
    attempts: 0,
    nextAt: now,
    lastError: null,
    createdAt: now,
  }
  // In a list, because a statement by itself is a promise, which would run when it is awaited.
  return [store.insertTask(scope.db, row, when)]
}

/** The same for work that has failed once already and is to rest. @param pause seconds */
export async function restingTask(scope: Scope, kind: string, payload: unknown, pause: number): Promise<Statement[]> {
  const now = scope.now()
  const sealed = await seal(scope.settings.secrets, JSON.stringify(payload))
  const nextAt = after(now, pause)
  const row = { id: newId(), kind, payload: sealed, attempts: 1, nextAt, lastError: null, createdAt: now }
  return [store.insertTask(scope.db, row)]
}

/**
 * The same for rows that the batch finds at this place, one task for each, with nothing to wait for.
 * The payload is an id and nothing else; the database writes it, so it is not sealed.
 */
export function tasksFor(scope: Scope, kind: string, rows: store.TaskRows): Statement[] {
  const group = newId()
  scope.after(async () => {
    for (const id of await store.listTasksOf(scope.db, group)) await tryTask(scope, id)
  })
  return [store.insertTasks(scope.db, group, kind, rows, scope.now())]
}

/**
 * Does a task, once, unless it is done or in somebody's hands. Why it failed is told by the log and the row.
 * @returns whether it has failed
 */
export async function tryTask(scope: Scope, id: string): Promise<boolean> {
  const task = await store.leaseTask(scope.db, id, scope.now(), (attempts) => after(scope.now(), pauseAfter(attempts)))
  if (!task) return false
  const handle = scope.lifecycle.tasks[task.kind]
  try {
    if (!handle) throw new Error(`no feature that is on does ${task.kind}`)
    const payload = task.payload.startsWith('{') ? task.payload : await open(scope.settings.secrets, task.payload)
    await handle(scope, JSON.parse(payload) as never)
  } catch (thrown) {
    const reason = reasonOf(thrown)
    scope.log('error', 'task-failed', { kind: task.kind, attempts: task.attempts, reason })
    const restsUntil = thrown instanceof TryLater ? after(scope.now(), thrown.pause) : task.nextAt
    await store.noteFailure(scope.db, task, reason, restsUntil)
    return true
  }
  await store.deleteTask(scope.db, id)
  return false
}

/** Failures in a row after which a kind of task is left alone for the rest of the run. */
const enough = 3

/**
 * Tries what is due; by the cron trigger. A service outside that hangs would keep everybody else waiting, so the kind of
 * task that asks it is not tried over and over.
 */
export async function tryDueTasks(scope: Scope): Promise<void> {
  const failures: Record<string, number> = {}
  for (let tries = 0; tries < mostAtOnce; ) {
    const hopeless = Object.keys(failures).filter((kind) => failures[kind]! >= enough)
    const due = await store.listDueTasks(scope.db, scope.now(), mostAtOnce - tries, hopeless)
    if (due.length === 0) return
    for (const { id, kind } of due) {
      tries++
      failures[kind] = (await tryTask(scope, id)) ? (failures[kind] ?? 0) + 1 : 0
      if (failures[kind] >= enough) break
    }
  }
}
