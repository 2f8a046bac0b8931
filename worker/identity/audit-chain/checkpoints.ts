import { type Checkpoint, signCheckpoints } from '../../kit/audit-checkpoint.ts'
import { after } from '../../kit/time.ts'
import type { Statement } from '../../platform/statements.ts'
import type { AuditChain } from '../audit/audit-records.table.ts'
import { auditRetentionOf } from '../audit/security-log.config.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { deleteOldCheckpoints, dueChains, insertCheckpoints, settleDue } from './checkpoints.store.ts'

const chainsPerBatch = 200
const batchesPerRun = 5

const retentionOf = (scope: Scope): Date => after(scope.now(), -auditRetentionOf(scope))

/**
 * The configuration gives the age of what was deleted, not the database: an attacker who can only write to the database
 * cannot obtain a proof for younger records.
 */
const checkpointOf = (
  scope: Scope,
  { chain, sealedSeq, sealedHash, deletedSeq, deletedHash, gap }: AuditChain & Pick<Checkpoint, 'gap'>,
): Checkpoint => ({
  issuer: scope.settings.baseUrl,
  chain,
  time: scope.now(),
  seq: sealedSeq,
  hash: sealedHash,
  deleted: deletedSeq > 0 ? { seq: deletedSeq, hash: deletedHash, before: retentionOf(scope) } : null,
  ...(gap && { gap }),
})

/** Signs the present states of chains. */
export const signChains = (
  scope: Scope,
  chains: readonly (AuditChain & Pick<Checkpoint, 'gap'>)[],
): Promise<string[]> =>
  signCheckpoints(
    scope.settings.secrets[0]!,
    chains.map((chain) => checkpointOf(scope, chain)),
  )

/** For a batch: stores a checkpoint of each chain, and deletes those that are older than the retention. */
export async function checkpointStatements(scope: Scope, chains: readonly AuditChain[]): Promise<Statement[]> {
  const tokens = await signChains(scope, chains)
  const names = chains.map(({ chain }) => chain)
  return [
    insertCheckpoints(
      scope.db,
      names.map((chain, at) => [chain, tokens[at]!] as const),
      scope.now(),
    ),
    deleteOldCheckpoints(scope.db, names, retentionOf(scope)),
  ]
}

/** For a batch: signs that records of chains are lost, because the database was restored to an earlier time. */
export async function gapStatements(
  scope: Scope,
  chains: readonly (AuditChain & Required<Pick<Checkpoint, 'gap'>>)[],
): Promise<Statement[]> {
  const tokens = await signChains(scope, chains)
  const signed = chains.map(({ chain }, at) => [chain, tokens[at]!] as const)
  // In a list, because an awaited statement would run.
  return [insertCheckpoints(scope.db, signed, scope.now())]
}

/** Stores a checkpoint of each chain that has continued since its last one, at the latest a day after. */
export async function storeCheckpoints(scope: Scope): Promise<void> {
  for (let batch = 0; batch < batchesPerRun; batch++) {
    const chains = await dueChains(scope.db, scope.now(), chainsPerBatch)
    if (chains.length === 0) return
    const work = unitOfWork(scope)
    work.run(await checkpointStatements(scope, chains))
    work.run(
      settleDue(
        scope.db,
        chains.map(({ chain, sealedSeq }) => [chain, sealedSeq] as const),
      ),
    )
    await work.commit()
    if (chains.length < chainsPerBatch) return
  }
}
