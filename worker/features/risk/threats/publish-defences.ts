import type { JobKind } from '../../../identity/model/job-kind.ts'
import type { Scope } from '../../../identity/scope.ts'
import { type Defences, defencesKey, learnDefences } from './known-defences.ts'
import { defencesInForce } from './threats.store.ts'

export const publishKind = 'defences'

/** The shortest lifetime of KV. */
const minLifetime = 60

/** Writes the defences in force to KV, where all isolates read them, until the last one ends. */
async function storeDefences(scope: Scope): Promise<void> {
  const now = scope.now()
  const defences = await readInForce(scope)
  learnDefences(scope, defences)
  const last = Math.max(defences.raisedUntil ?? 0, ...defences.blocks.map(({ until }) => until))
  const lifetime = Math.ceil((last - now.getTime()) / 1000)
  await scope.io.uncounted.kv.put(defencesKey, defences, Math.max(minLifetime, lifetime))
}

async function readInForce(scope: Scope): Promise<Defences> {
  const rows = await defencesInForce(scope.db, scope.now())
  return {
    raisedUntil: rows.find(({ kind }) => kind === 'level')?.expiresAt.getTime() ?? null,
    blocks: rows
      .filter(({ kind }) => kind === 'block')
      .map(({ network, expiresAt }) => ({ network, until: expiresAt.getTime() })),
  }
}

export const publishJobs: Record<string, JobKind<Scope>> = { [publishKind]: { run: storeDefences } }
