import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import type { Rows } from '../../../platform/statements.ts'
import { riskOptions } from '../risk.config.ts'
import { riskErrors as errors } from '../risk.errors.ts'
import { endSessionsKind, firstPiece } from './end-network-sessions.ts'
import { containsCaller } from './known-defences.ts'
import { publishKind } from './publish-defences.ts'
import type { Threats } from './threats.contract.ts'
import * as store from './threats.store.ts'

const maxAttacks = 100

/** For one batch. */
export const threatReads = (scope: Scope) => ({
  defences: store.defencesInForce(scope.db, scope.now()),
  attacks: store.newestAttacks(scope.db, maxAttacks),
})

export function presentThreats(scope: Scope, { defences, attacks }: Rows<ReturnType<typeof threatReads>>): Threats {
  return {
    level: riskOptions.of(scope).level,
    raisedUntil: defences.find(({ kind }) => kind === 'level')?.expiresAt ?? null,
    blocks: defences.filter(({ kind }) => kind === 'block').map(({ kind, ...block }) => block),
    attacks: attacks.map(({ key, ...attack }) => attack),
  }
}

/** Commits a change of the defences. A job makes it known. */
function commitDefences(work: Work): Promise<void> {
  work.defer(publishKind, {}, { plain: true })
  return work.commit()
}

/** Requires a code from every unknown device. @param duration seconds; 0 ends it */
export async function raiseLevel(scope: Scope, { user }: Caller, duration: number): Promise<void> {
  const now = scope.now()
  const work = unitOfWork(scope)
  work.run(store.deleteSame(scope.db, 'level', ''))
  const expiresAt = after(now, duration)
  if (duration > 0) work.run(store.insertDefence(scope.db, levelOf(user.id, now, expiresAt)))
  work.audit({ subjectType: 'level', subjectId: null, after: { raisedUntil: duration > 0 ? expiresAt : null } })
  await commitDefences(work)
}

const levelOf = (createdBy: string, createdAt: Date, expiresAt: Date): store.Defence => ({
  ...{ id: newId(), kind: 'level', network: '', createdBy, createdAt, expiresAt },
})

/** Blocks a network, in place of its earlier block. @throws BLOCK_CONTAINS_YOU, TOO_MANY_BLOCKS */
export async function blockNetwork(
  scope: Scope,
  { user }: Caller,
  { network, duration }: { network: string; duration: number },
): Promise<void> {
  if (containsCaller(scope, network)) throw errors.BLOCK_CONTAINS_YOU()
  const now = scope.now()
  const expiresAt = after(now, duration)
  const work = unitOfWork(scope)
  work.run(store.deleteSame(scope.db, 'block', network))
  work.require(store.hasRoomForBlock(now), errors.TOO_MANY_BLOCKS)
  const id = newId()
  work.run(store.insertDefence(scope.db, { id, kind: 'block', network, createdBy: user.id, createdAt: now, expiresAt }))
  work.audit({ subjectType: 'network', subjectId: network, after: { network, until: expiresAt } })
  await commitDefences(work)
}

/** @throws BLOCK_NOT_FOUND */
export async function unblockNetwork(scope: Scope, id: string): Promise<void> {
  const work = unitOfWork(scope)
  work.run(store.deleteDefence(scope.db, id)).orFail(errors.BLOCK_NOT_FOUND)
  work.audit({ subjectType: 'network' })
  await commitDefences(work)
}

/** Starts the job that ends the sessions of a network. */
export async function endNetworkSessions(scope: Scope, { session }: Caller, network: string): Promise<void> {
  const work = unitOfWork(scope)
  work.defer(endSessionsKind, firstPiece(network, session.id, scope.now()), { plain: true })
  work.audit({ subjectType: 'network', subjectId: network, after: { network } })
  await work.commit()
}

const rowsPerPage = 1000

/** The pages of the export. */
export async function* attackPages(scope: Scope): AsyncGenerator<store.Attack[]> {
  for (let before: store.Attack | null = null; ; ) {
    const page: store.Attack[] = await store.attacksBefore(scope.db, before, rowsPerPage)
    if (page.length > 0) yield page
    before = page.at(-1) ?? null
    if (page.length < rowsPerPage) return
  }
}

/** The record of an export. */
export async function noteAttackExport(scope: Scope): Promise<void> {
  const work = unitOfWork(scope)
  work.audit({ subjectType: 'export', subjectId: null })
  await work.commit()
}
