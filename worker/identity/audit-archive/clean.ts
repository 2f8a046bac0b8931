import { reasonOf } from '../../platform/log.ts'
import type { Scope } from '../scope.ts'
import { archiveOf } from './archive-records.ts'
import { prefixOf } from './segment-file.ts'
import { deleteSegment, segmentsToClean } from './segments.store.ts'

/** Segments of one run. */
const maxCleaned = 20

/**
 * Deletes objects of segments that the retention has ended. A lock of the bucket refuses it until its end: a later run tries
 * again.
 */
export async function deleteEndedObjects(scope: Scope): Promise<void> {
  const archive = archiveOf(scope)
  if (!archive) return
  for (const segment of await segmentsToClean(scope.db, maxCleaned)) {
    try {
      const old = await archive.list(prefixOf(segment))
      if (old.length > 0) await archive.delete(old)
    } catch (thrown) {
      scope.log('error', 'audit-object-not-deleted', { object: segment.object, reason: reasonOf(thrown) })
      continue
    }
    await deleteSegment(scope.db, segment.firstSeq)
  }
}
