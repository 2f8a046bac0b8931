import { deploymentChain } from '../../kit/audit-chain.ts'
import type { ChainProblem } from '../../kit/verify-audit-chain.ts'

/** The result of a verification. */
export interface AuditVerdict {
  lines: string[]
  problems: string[]
  /** What to do about the problems. */
  next: string
}

/** A problem in a sentence. */
export function describeProblem({ kind, chain, first, last, record, checkpoint, object }: ChainProblem): string {
  const place = chain === deploymentChain ? 'of the deployment' : `of organization ${chain}`
  const isOne = first === last
  const records = `${isOne ? `Record ${first}` : `Records ${first} to ${last}`} ${place}`
  const [was, were] = isOne ? ['was', 'it'] : ['were', 'they']
  const owner = record?.organizationId && chain === deploymentChain ? `, organization ${record.organizationId}` : ''
  const named = record && `${record.action}, ${timeOf(record.createdAt)}${owner}, id ${record.id}`
  const witness = checkpoint && `the checkpoint of ${timeOf(checkpoint.time)}`
  switch (kind) {
    case 'changed':
      return `${records} was changed, or the record before it was replaced: ${named}.`
    case 'missing':
      return `${records} ${was} removed.${named ? ` The next one is: ${named}.` : ''}${witness ? ` ${capital(witness)} confirms that ${were} existed.` : ''}`
    case 'inserted':
      return `${records} was added, or its link was removed, after later records had been sealed: ${named}.`
    case 'rewritten':
      return `${records} ${was} rewritten: ${witness ?? 'the stored end of the chain'} has another link for record ${last}.`
    case 'damaged':
      return `${records} ${was} lost or changed in the archive: the object ${object} is missing, or has other bytes than those that were written.`
    case 'unproven-deletion':
      return `${records} ${was} deleted, and no checkpoint proves that the retention deleted ${isOne ? 'it' : 'them'}.`
    case 'early-deletion':
      return `${records} ${was} deleted before the end of the retention: ${witness} is younger than the deleted records may be.`
  }
}

const timeOf = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString())

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
