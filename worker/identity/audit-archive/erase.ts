import { deploymentChain, firstLink, maskForOrganization } from '../../kit/audit-chain.ts'
import { contentHash, type Erasure, readErasure, signErasures } from '../../kit/audit-erasure.ts'
import type { Archive } from '../../platform/archive.ts'
import type { AuditErasure } from '../audit/audit-records.table.ts'
import type { Scope } from '../scope.ts'
import { Overtaken, unitOfWork } from '../unit-of-work.ts'
import { archiveOf, requireStored } from './archive-records.ts'
import * as erasures from './erasures.store.ts'
import { recordsAt } from './read-archive.ts'
import { type ArchivedRecord, encodeSegment, segmentObject } from './segment-file.ts'
import * as store from './segments.store.ts'
import type { AuditSegment } from './segments.table.ts'

/** Erasures and segments of one run of the cron trigger. */
const maxErasures = 1000
const segmentsPerRun = 5

/**
 * Rewrites segments without the personal data of deleted users. A signed proof takes the place of the data: it confirms the
 * links of both sides and what is left of the record. The object of before is deleted afterwards (clean.ts).
 */
export async function eraseDeletedUsers(scope: Scope): Promise<void> {
  const archive = archiveOf(scope)
  if (!archive) return
  const all = await erasures.firstErasures(scope.db, maxErasures)
  const last = all.at(-1)
  if (!last) return
  const untilSeq = Math.max(...all.map((one) => one.untilSeq))
  for (const segment of await erasures.segmentsToErase(scope.db, last.id, untilSeq, segmentsPerRun)) {
    await eraseIn(scope, archive, segment, all)
  }
  await erasures.deleteDone(scope.db)
}

async function eraseIn(
  scope: Scope,
  archive: Archive,
  given: AuditSegment,
  all: readonly AuditErasure[],
): Promise<void> {
  const { db } = scope
  await erasures.beginErasing(db, given, all.at(-1)!.id)
  const [segment] = await erasures.segmentAt(db, given.firstSeq)
  // Another run was faster.
  if (!segment || segment.object !== given.object || segment.erasingTo <= segment.erasedTo) return
  const users = new Set(all.filter(({ id }) => id <= segment.erasingTo).map(({ userId }) => userId))
  const { object, sha256, bytes, firstSeq: first, lastSeq, firstAt, lastAt } = segment
  const records = await recordsAt(scope, { object, sha256, bytes, first, last: lastSeq, firstAt, lastAt, offset: null })
  const kept = await withoutPersonalData(scope, segment, records, users)
  const work = unitOfWork(scope)
  work.require(store.hasObject(segment))
  const erasedTo = segment.erasingTo
  if (kept === null) work.run(store.updateSegment(db, first, { erasedTo }))
  else {
    const file = encodeSegment(kept)
    const name = segmentObject(segment, file.sha256)
    await archive.put(name, file.bytes, file.sha256)
    await requireStored(archive, name, file.sha256)
    work.run(
      store.updateSegment(db, first, {
        ...{ object: name, sha256: file.sha256, bytes: file.bytes.length, state: 'replaced', erasedTo },
        oldObjects: [...segment.oldObjects, object],
      }),
    )
    work.run(store.deleteParts(db, first))
    work.run(store.insertParts(db, first, file.parts))
  }
  try {
    await work.commit()
  } catch (thrown) {
    if (!(thrown instanceof Overtaken)) throw thrown
  }
}

/** @returns null if no record names one of the users */
async function withoutPersonalData(
  scope: Scope,
  segment: AuditSegment,
  records: readonly ArchivedRecord[],
  users: ReadonlySet<string>,
): Promise<ArchivedRecord[] | null> {
  const proofs: Erasure[] = []
  const tokens: [record: ArchivedRecord, field: 'erased' | 'organizationErased'][] = []
  const ends = new Map<string, string>()
  const previousOf = async (chain: string, number: number, token: string | undefined): Promise<string> => {
    const known = token === undefined ? null : await readErasure(token)
    if (known) return known.previous
    if (number === 1) return firstLink
    return ends.get(chain) ?? (await erasures.linkBefore(scope.db, chain, number, segment.firstSeq))
  }
  const kept: ArchivedRecord[] = []
  for (const record of records) {
    const { seq, hash, organizationId, organizationSeq, organizationHash } = record
    const erased = erase(record, users)
    kept.push(erased ?? record)
    if (erased) {
      const previous = await previousOf(deploymentChain, seq, record.erased)
      proofs.push({ chain: deploymentChain, number: seq, previous, hash: hash!, content: contentHash(erased) })
      tokens.push([erased, 'erased'])
    }
    if (erased && organizationId !== null && organizationSeq !== null) {
      const previous = await previousOf(organizationId, organizationSeq, record.organizationErased)
      const content = contentHash(maskForOrganization(erased))
      proofs.push({ chain: organizationId, number: organizationSeq, previous, hash: organizationHash!, content })
      tokens.push([erased, 'organizationErased'])
    }
    ends.set(deploymentChain, hash!)
    if (organizationId !== null) ends.set(organizationId, organizationHash!)
  }
  if (proofs.length === 0) return null
  const signed = await signErasures(scope.settings.secrets[0]!, proofs)
  for (const [at, [record, field]] of tokens.entries()) record[field] = signed[at]!
  return kept
}

/** Ids remain: after the deletion they name no account. @returns null if the record does not name one of the users */
function erase(record: ArchivedRecord, users: ReadonlySet<string>): ArchivedRecord | null {
  const { actorId, onBehalfOf, subjectType, subjectId } = record
  const names = (id: string | null) => id !== null && users.has(id)
  const isActor = names(actorId) || names(onBehalfOf)
  const isSubject = subjectType === 'user' && names(subjectId)
  if (!isActor && !isSubject) return null
  return {
    ...record,
    ...(isActor && { ipAddress: null, userAgent: null, requestId: null }),
    ...(isSubject && { before: {}, after: {} }),
  }
}
