import type { JobKind } from '../../../identity/model/job-kind.ts'
import type { Scope } from '../../../identity/scope.ts'
import { endSessions } from '../../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { isAddressIn } from '../../../platform/client-address.ts'
import { sessionsAfter, withIds } from './threats.store.ts'

export const endSessionsKind = 'end-network-sessions'

/** The sessions of a network are found by a walk through all sessions, in pieces: addresses have no index. */
interface Piece {
  network: string
  /** The session of the administrator, which remains. */
  keep: string
  /** Unix time in milliseconds: later sessions remain, so that the walk ends. */
  before: number
  /** The last session of the piece before. */
  after: string
}

export const firstPiece = (network: string, keep: string, now: Date): Piece => ({
  ...{ network, keep, before: now.getTime(), after: '' },
})

/** Sessions that one piece reads, and those that one batch ends: D1 allows 100 parameters. */
const pieceSize = 1000
const batchSize = 80

async function endPiece(scope: Scope, piece: Piece): Promise<void> {
  const page = await sessionsAfter(scope.db, piece.after, pieceSize)
  const ids = page
    .filter(({ ipAddress }) => isAddressIn(ipAddress, [piece.network]))
    .filter(({ id, createdAt }) => id !== piece.keep && createdAt.getTime() <= piece.before)
    .map(({ id }) => id)
  const last = page.length === pieceSize ? page.at(-1)! : null
  for (let at = 0; at < ids.length; at += batchSize) {
    const work = unitOfWork(scope)
    // The record of the request that started it names the network.
    work.audit(null)
    endSessions(scope, work, withIds(ids.slice(at, at + batchSize)))
    await work.commit()
  }
  if (!last) return
  const work = unitOfWork(scope)
  work.audit(null)
  work.defer(endSessionsKind, { ...piece, after: last.id }, { plain: true, byCron: true })
  await work.commit()
}

/** A piece that runs twice ends nothing twice. */
export const endSessionsJobs: Record<string, JobKind<Scope>> = {
  [endSessionsKind]: { run: endPiece, cost: 30, parallel: 1, batchSize: 4 },
}
