import { open, seal, sealKeyId, sealKeyIdOf } from '../../kit/encrypt.ts'
import { reasonOf } from '../../platform/log.ts'
import type { SealedColumn } from '../lifecycle.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { columnNameOf, listProgress, readSealed, replaceSealed } from './resealing.store.ts'
import type { Resealing } from './resealing.table.ts'

/** Rows per run and column, so that a run remains below 2 MB per statement and a few seconds of CPU time. */
export const usualBatchSize = 200

/**
 * Seals values again with the newest secret, so that a leaked secret can be removed. The cron trigger calls it; each
 * run continues after the previous one. A column is finished after a pass over all of its rows without a change,
 * because a Worker of an earlier deployment may have sealed a value behind the pass. Does nothing without an earlier
 * secret.
 */
export async function reseal(scope: Scope, columns: readonly SealedColumn[]): Promise<void> {
  const { secrets } = scope.settings
  if (secrets.length === 1) return
  const keyId = sealKeyId(secrets[0])
  const known = new Map((await listProgress(scope.db)).map((row) => [row.name, row]))
  for (const column of columns) {
    const before = known.get(columnNameOf(column))
    const progress = before?.keyId === keyId ? before : begin(columnNameOf(column), keyId, scope.now())
    if (progress.finishedAt) continue
    await advance(scope, column, progress)
  }
}

const begin = (name: string, keyId: string, updatedAt: Date): Resealing => {
  return { name, keyId, position: 0, changed: 0, unreadable: 0, resealed: 0, finishedAt: null, updatedAt }
}

/** The next rows of one column. */
async function advance(scope: Scope, column: SealedColumn, progress: Resealing): Promise<void> {
  const { batchSize = usualBatchSize } = column
  const rows = await readSealed(scope.db, column, progress.position, batchSize)
  const next: Resealing = { ...progress, position: rows.at(-1)?.rowid ?? progress.position, updatedAt: scope.now() }
  const changes: { rowid: number; stored: string; next: string }[] = []
  for (const { rowid, stored } of rows) {
    try {
      const sealed = await sealAgain(scope.settings.secrets, stored)
      if (sealed !== stored) changes.push({ rowid, stored, next: sealed })
    } catch (thrown) {
      next.unreadable++
      scope.log('error', 'reseal-unreadable', { column: next.name, reason: reasonOf(thrown) })
    }
  }
  next.changed += changes.length
  next.resealed += changes.length
  if (rows.length < batchSize) {
    if (next.changed === 0) {
      next.finishedAt = scope.now()
      scope.log('info', 'reseal-finished', { column: next.name, resealed: next.resealed, unreadable: next.unreadable })
    } else Object.assign(next, { position: 0, changed: 0, unreadable: 0 })
  }
  const work = unitOfWork(scope)
  replaceSealed(scope.db, work, column, changes, next)
  await work.commit()
}

/** @returns the same text if the newest secret sealed it or it is not sealed */
async function sealAgain(secrets: Scope['settings']['secrets'], stored: string): Promise<string> {
  if (stored.startsWith('[')) {
    const list = JSON.parse(stored) as string[]
    return JSON.stringify(await Promise.all(list.map((each) => sealAgain(secrets, each))))
  }
  const keyId = sealKeyIdOf(stored)
  return keyId === null || keyId === sealKeyId(secrets[0]) ? stored : seal(secrets, await open(secrets, stored))
}
