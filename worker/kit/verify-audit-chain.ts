import {
  deploymentChain,
  deploymentLink,
  firstLink,
  maskForOrganization,
  organizationLink,
  type StoredRecord,
} from './audit-chain.ts'
import type { Checkpoint } from './audit-checkpoint.ts'
import { contentHash, type Erasure } from './audit-erasure.ts'

/**
 * - `changed`: the record does not continue the one before; one of both was changed
 * - `missing`: records were removed
 * - `inserted`: a record was added, or its number given twice, after the records beside it had been sealed
 * - `rewritten`: the links are consistent, but differ from a checkpoint
 * - `unproven-deletion`: the first records are missing, and no checkpoint says that the retention deleted them
 * - `damaged`: the object of the archive with the records is missing, or has other bytes than those that were written
 * - `early-deletion`: records were deleted before they reached the age of the retention
 */
export type ProblemKind =
  | 'changed'
  | 'missing'
  | 'inserted'
  | 'rewritten'
  | 'damaged'
  | 'unproven-deletion'
  | 'early-deletion'

/** The first problem of a chain. */
export interface ChainProblem {
  kind: ProblemKind
  chain: string
  /** The first and the last affected number. */
  first: number
  last: number
  /** The record itself, or the next one that exists. */
  record: { id: string; createdAt: Date | string; action: string; organizationId: string | null } | null
  /** The checkpoint that contradicts the records. */
  checkpoint: Checkpoint | null
  /** The damaged object. */
  object?: string
}

/** The stored state of a chain. */
export interface ChainState {
  sealedSeq: number
  sealedHash: string
  deletedSeq: number
  deletedHash: string
}

export interface ChainStart {
  chain: string
  /** What is stored about the chain; null for a file, which may begin at any record. */
  state: ChainState | null
  /** Those of the chain. */
  checkpoints: readonly Checkpoint[]
  /** Whether the chain of the deployment is verified as well. It covers the chain, and proves what was deleted. */
  isCovered?: boolean
  /** Gaps of the deployment's chain: the records of all chains of that time are lost. */
  gaps?: readonly Checkpoint[]
}

/** A record with its link in the chain. */
export interface LinkedRecord {
  number: number
  hash: string | null
  record: NonNullable<ChainProblem['record']>
  linkAfter(previous: string): string
}

/** The signed proofs of erased records, by their tokens. */
export type Erasures = ReadonlyMap<string, Erasure>

/** The link of a record without its personal data: the stored one, if the deployment has signed what is left. */
function linkOfErased(erasure: Erasure | undefined, expected: Omit<Erasure, 'hash'>): string {
  const isProven =
    erasure?.chain === expected.chain &&
    erasure.number === expected.number &&
    erasure.previous === expected.previous &&
    erasure.content === expected.content
  return isProven ? erasure.hash : ''
}

export const inDeployment = (record: StoredRecord, erasures?: Erasures): LinkedRecord => ({
  number: record.seq,
  hash: record.hash,
  record,
  linkAfter: (previous) =>
    record.erased === undefined
      ? deploymentLink(previous, record)
      : linkOfErased(erasures?.get(record.erased), {
          ...{ chain: deploymentChain, number: record.seq, previous, content: contentHash(record) },
        }),
})

/** A record of an organization, with the link in the organization's chain. */
export const inOrganization = (
  record: Omit<StoredRecord, 'seq' | 'hash'> & { organizationSeq: number },
  erasures?: Erasures,
): LinkedRecord => ({
  number: record.organizationSeq,
  hash: record.organizationHash,
  record,
  linkAfter: (previous) =>
    record.organizationErased === undefined
      ? organizationLink(previous, record)
      : linkOfErased(erasures?.get(record.organizationErased), {
          ...{ chain: record.organizationId ?? '', number: record.organizationSeq, previous },
          content: contentHash(maskForOrganization(record)),
        }),
})

/** The signed gaps of recoveries, the earliest first. */
export const gapsOf = (checkpoints: readonly Checkpoint[]): Checkpoint[] =>
  checkpoints.filter(({ gap }) => gap).sort((a, b) => a.time.getTime() - b.time.getTime())

/** Whether the state that a checkpoint signs is lost: the database was restored to an earlier time. */
const isLost = ({ time, gap }: Checkpoint, checkpoints: readonly Checkpoint[]): boolean =>
  !gap && gapsOf(checkpoints).some((after) => time > after.gap!.since && time <= after.time)

/** Recomputes a chain from records in the order of their numbers, and finds the first problem. */
export class ChainVerifier {
  problem: ChainProblem | null = null
  /** The numbers of verified, and of not yet sealed records. */
  sealed = 0
  unsealed = 0
  readonly #start: ChainStart
  readonly #checkpoints: Map<number, Checkpoint[]>
  #end: { seq: number; hash: string } | null = null
  /** The last number; null before the first record of a file. */
  #last: number | null
  #previous: string
  #sealedTo: number
  #confirmedTo: number
  #unsealedFrom: LinkedRecord | null = null

  constructor(given: ChainStart) {
    const { state, gaps = [] } = given
    const all = [...given.checkpoints, ...gaps]
    const checkpoints = given.checkpoints.filter((one) => !isLost(one, all))
    const start = { ...given, checkpoints }
    this.#start = start
    this.#checkpoints = Map.groupBy(checkpoints, ({ seq }) => seq)
    this.#last = state ? state.deletedSeq : null
    this.#previous = state?.deletedHash ?? firstLink
    this.#sealedTo = this.#confirmedTo = state?.deletedSeq ?? 0
    if (state) this.continueTo(state)
    if (!start.isCovered) this.#checkDeletion()
    if (state) this.#compare(state.deletedSeq, state.deletedHash, null)
  }

  /** The stored end of the chain, read together with the records that follow. */
  continueTo({ sealedSeq, sealedHash }: ChainState): void {
    this.#end = { seq: sealedSeq, hash: sealedHash }
  }

  add(next: LinkedRecord) {
    if (this.problem) return
    const { number, hash, record } = next
    if (this.#last === null) this.#begin(next)
    else {
      const expected = this.#last + 1
      if (number > expected && !this.#continues(number)) return this.#report('missing', expected, number - 1, record)
      if (number < expected) return this.#report('inserted', number, number, record)
      this.#last = number
      if (hash === null) return this.#addUnsealed(next)
      if (this.#unsealedFrom) {
        const { number: first, record: unsealed } = this.#unsealedFrom
        return this.#report('inserted', first, first, unsealed)
      }
      if (next.linkAfter(this.#previous) !== hash) return this.#report('changed', number, number, record)
    }
    if (hash === null) return
    this.#previous = hash
    this.#sealedTo = number
    this.sealed += 1
    this.#compare(number, hash, record)
  }

  /** The records of a damaged object cannot be verified, and the ones after it do not show who changed them. */
  addDamaged({ first, last, object }: DamagedRecords): void {
    this.#report('damaged', Math.max(first, (this.#last ?? 0) + 1), last, null)
    if (this.problem?.kind === 'damaged') this.problem.object = object
  }

  /** After the last record. */
  end(): ChainProblem | null {
    if (this.problem || this.#last === null) return this.problem
    const end = this.#end
    if (end && end.seq > this.#sealedTo) this.#report('missing', this.#sealedTo + 1, end.seq, null)
    else if (end && end.seq === this.#sealedTo && end.hash !== this.#previous)
      this.#report('rewritten', this.#confirmedTo + 1, this.#sealedTo, null)
    const later = this.#start.checkpoints.filter(({ seq }) => seq > this.#sealedTo).sort((a, b) => b.seq - a.seq)[0]
    if (later) this.#report('missing', this.#sealedTo + 1, later.seq, null, later)
    return this.problem
  }

  /** A file begins at any record. Without the record before, a checkpoint alone confirms the first one. */
  #begin(next: LinkedRecord) {
    this.#last = next.number
    this.#confirmedTo = next.number - 1
    if (next.hash === null) {
      this.#unsealedFrom = next
      this.unsealed += 1
      return
    }
    const before = this.#start.checkpoints.find(({ seq, deleted }) => [seq, deleted?.seq].includes(next.number - 1))
    const isFirst = next.number === 1
    if (!before && !isFirst) return
    const previous = isFirst ? firstLink : before!.seq === next.number - 1 ? before!.hash : before!.deleted!.hash
    if (next.linkAfter(previous) !== next.hash) this.#report('changed', next.number, next.number, next.record)
  }

  /** Whether a recovery gave no number between the last one and this. */
  #continues(number: number): boolean {
    const isHere = ({ seq, hash, gap }: Checkpoint) =>
      seq === this.#last && hash === this.#previous && gap?.next === number
    return this.#start.checkpoints.some(isHere)
  }

  #addUnsealed(next: LinkedRecord) {
    if (this.#end && next.number <= this.#end.seq) {
      return this.#report('inserted', next.number, next.number, next.record)
    }
    this.#unsealedFrom ??= next
    this.unsealed += 1
  }

  #compare(number: number, hash: string, record: ChainProblem['record']) {
    if (this.problem) return
    for (const checkpoint of this.#checkpoints.get(number) ?? []) {
      if (checkpoint.hash !== hash) {
        return this.#report('rewritten', Math.min(this.#confirmedTo + 1, number), number, record, checkpoint)
      }
      this.#confirmedTo = number
    }
  }

  /** The retention signs a checkpoint in the batch of each deletion. */
  #checkDeletion() {
    const { state, checkpoints } = this.#start
    if (!state || state.deletedSeq === 0) return
    const { deletedSeq, deletedHash } = state
    const proof = checkpoints
      .filter(({ deleted }) => deleted?.seq === deletedSeq && deleted.hash === deletedHash)
      .sort((a, b) => a.time.getTime() - b.time.getTime())[0]
    if (!proof) return this.#report('unproven-deletion', 1, deletedSeq, null)
    const tolerance = 86_400_000
    const before = proof.deleted!.before.getTime() + tolerance
    const witness = checkpoints.find(({ seq, time }) => seq < deletedSeq && time.getTime() > before)
    if (witness) this.#report('early-deletion', witness.seq + 1, deletedSeq, null, witness)
  }

  #report(
    kind: ProblemKind,
    first: number,
    last: number,
    record: ChainProblem['record'],
    checkpoint: Checkpoint | null = null,
  ): void {
    this.problem ??= { kind, chain: this.#start.chain, first, last, record, checkpoint }
  }
}

/** A page of records in the order of their numbers, and the states of their chains and of the deployment's. */
export interface LogPage {
  records: readonly StoredRecord[]
  chains: readonly (ChainState & { chain: string })[]
  /** An object of the archive that cannot be read: the last page. */
  damaged?: DamagedRecords | null
  /** Whether no page follows. */
  isLast?: boolean
  erasures?: Erasures
}

export interface DamagedRecords {
  chain: string
  object: string
  first: number
  last: number
}

const noState: ChainState = { sealedSeq: 0, sealedHash: firstLink, deletedSeq: 0, deletedHash: firstLink }

/** Verifies the chain of the deployment, and in one pass those of all organizations. */
export class LogVerifier {
  readonly #verifiers = new Map<string, ChainVerifier>()

  constructor(private readonly checkpoints: ReadonlyMap<string, readonly Checkpoint[]>) {}

  #isDamaged = false

  add({ records, chains, damaged, erasures }: LogPage): void {
    const states = new Map(chains.map((state) => [state.chain, state]))
    const verifierOf = (chain: string): ChainVerifier => {
      const known = this.#verifiers.get(chain)
      if (known) return known
      const made = new ChainVerifier({
        ...{ chain, state: states.get(chain) ?? noState, checkpoints: this.checkpoints.get(chain) ?? [] },
        isCovered: chain !== deploymentChain,
        gaps: gapsOf(this.checkpoints.get(deploymentChain) ?? []),
      })
      this.#verifiers.set(chain, made)
      return made
    }
    verifierOf(deploymentChain)
    for (const [chain, state] of states) this.#verifiers.get(chain)?.continueTo(state)
    for (const record of records) {
      verifierOf(deploymentChain).add(inDeployment(record, erasures))
      const { organizationId, organizationSeq } = record
      if (organizationId !== null && organizationSeq !== null)
        verifierOf(organizationId).add(inOrganization({ ...record, organizationSeq }, erasures))
    }
    if (!damaged) return
    this.#isDamaged = true
    verifierOf(damaged.chain).addDamaged(damaged)
  }

  /** After the last page. @returns the first problem of each chain, that of the deployment first */
  end(): ChainProblem[] {
    // Chains of organizations end before the damaged object: they were not verified after it.
    return [...this.#verifiers.values()].flatMap(
      (verifier) => (this.#isDamaged ? verifier.problem : verifier.end()) ?? [],
    )
  }

  get counts() {
    const deployment = this.#verifiers.get(deploymentChain)
    return {
      sealed: deployment?.sealed ?? 0,
      unsealed: deployment?.unsealed ?? 0,
      organizations: Math.max(0, this.#verifiers.size - 1),
    }
  }
}
