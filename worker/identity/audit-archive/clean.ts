import { reasonOf } from '../../platform/log.ts'
import type { Scope } from '../scope.ts'
import { archiveOf } from './archive-records.ts'
import { prefixOf } from './segment-file.ts'
import { deleteSegment, noteCleaned, segmentsToClean } from './segments.store.ts'

/** Segments of one run. */
const maxCleaned = 20

/**
 * Deletes objects that the retention has ended, with all versions of them, and those that an erasure has replaced. A lock of
 * the bucket refuses it until its end: a later run tries again.
 */
export async function deleteEndedObjects(scope: Scope): Promise<void> {
  const archive = archiveOf(scope)
  if (!archive) return
  for (const segment of await segmentsToClean(scope.db, maxCleaned)) {
    const isEnded = segment.state === 'ended'
    try {
      const old = isEnded ? await archive.list(prefixOf(segment)) : segment.oldObjects
      if (old.length > 0) await archive.delete(old)
    } catch (thrown) {
      scope.log('error', 'audit-object-not-deleted', { object: segment.object, reason: reasonOf(thrown) })
      continue
    }
    if (isEnded) await deleteSegment(scope.db, segment.firstSeq)
    else await noteCleaned(scope.db, segment)
  }
}
