import { existsSync, writeFileSync } from 'node:fs'
import { Command, Option } from '@commander-js/extra-typings'
import { deploymentChain } from '../../kit/audit-chain.ts'
import { type Checkpoint, readCheckpoint, type SignedCheckpoint } from '../../kit/audit-checkpoint.ts'
import { provenErasures } from '../../kit/audit-erasure.ts'
import { ChainVerifier, gapsOf, inOrganization, LogVerifier } from '../../kit/verify-audit-chain.ts'
import { CliError } from '../cli-error.ts'
import { collect } from '../command.ts'
import { openPrivate } from '../private-file.ts'
import { withTarget } from '../wrangler.ts'
import { readExport, readSaved, type SavedCheckpoints } from './files.ts'
import { type AuditVerdict, describeProblem } from './report.ts'
import { databaseSource, type RecordSource, serverSource } from './sources.ts'

const verify = withTarget(
  new Command('verify')
    .description(`Recomputes the chains of the audit log, and names the first record that was changed or removed. It reads the
      database through wrangler, the deployment through a server key (--url), or an export of an organization (--file).`)
    .option('--organization <id>', "only the chain of this organization, not the deployment's")
    .addOption(
      new Option('--file <export.ndjson>', 'the export of an organization in the format ndjson').conflicts('url'),
    )
    .option(
      '--url <address>',
      'the deployment, read with the server key in GATEHOUSE_KEY, which has the permission audit:read',
    )
    .option(
      '--checkpoints <file>',
      'saved checkpoints: with them, a log that was rewritten as a whole is found; may be repeated',
      collect,
    )
    .option('--save <file>', 'writes the checkpoints and their keys, for --checkpoints later'),
)
  .addHelpText('after', '\nExit code: 0 intact, 1 not verified, 2 a record was changed or removed.')
  .action(async ({ organization, file, url, checkpoints = [], save, ...target }) => {
    const saved = checkpoints.map(readSaved)
    if (file !== undefined) return print(await verifyFile(file, saved))
    const source = url === undefined ? databaseSource(target) : serverSource(url, process.env.GATEHOUSE_KEY)
    if (save !== undefined && existsSync(save)) throw new CliError(`${save} exists.`, 'choose another name for --save')
    const chain = organization ?? deploymentChain
    const own = await source.checkpoints(organization)
    const verdict = await verifySource(source, organization, [...saved, own])
    if (save !== undefined) {
      writeFileSync(openPrivate(save), `${JSON.stringify(own, null, 2)}\n`)
      const place = chain === deploymentChain ? 'the deployment' : `organization ${chain}`
      console.log(`${save}: ${own.checkpoints.length} checkpoints of ${place}. Keep it outside of the deployment.`)
    }
    print(verdict)
  })

function print({ lines, problems, next }: AuditVerdict): void {
  for (const line of lines) console.log(line)
  for (const problem of problems) console.error(problem)
  if (problems.length === 0) return
  console.error(`Next: ${next}`)
  process.exitCode = 2
}

const afterwards =
  'keep the database as it is, and compare it with an earlier state: npx wrangler d1 time-travel info DB; see guides/audit.md'

/**
 * The checkpoints by chain. A key is trusted if the deployment publishes it over HTTPS, or a file that you have kept
 * names it; without such a list, each key is.
 */
async function trusted(sources: readonly SavedCheckpoints[]) {
  const keys = new Set(sources.flatMap(({ keys }) => keys?.map(({ kid }) => kid) ?? []))
  const read: SignedCheckpoint[] = []
  const problems: string[] = []
  const unknown = new Set<string>()
  for (const { checkpoints, current } of sources) {
    for (const token of [...checkpoints.map(({ token }) => token), ...(current ? [current] : [])]) {
      const checkpoint = await readCheckpoint(token)
      if (!checkpoint) problems.push('A checkpoint does not have the signature of its key: it was changed.')
      else if (keys.size > 0 && !keys.has(checkpoint.kid)) unknown.add(checkpoint.kid)
      else read.push(checkpoint)
    }
  }
  const lines = [...unknown].map(
    (kid) => `Not used: checkpoints with the key ${kid}, which neither the deployment nor a saved file names.`,
  )
  if (keys.size === 0 && read.length > 0) {
    const [{ kid, issuer }] = read as [SignedCheckpoint]
    lines.push(`The checkpoints have the key ${kid}. Compare it with ${issuer}/api/auth/audit-keys`)
  }
  // The chain of the deployment names the gap of all.
  for (const { time, gap } of gapsOf(read)) {
    const line = `Lost: records from ${gap!.since.toISOString()} until the recovery of ${time.toISOString()}, which restored the database. Checkpoints of this time are not compared.`
    if (!lines.includes(line)) lines.push(line)
  }
  return {
    byChain: Map.groupBy(read as Checkpoint[], ({ chain }) => chain),
    lines,
    problems: [...new Set(problems)],
    isTrusted: (kid: string) => keys.size === 0 || keys.has(kid),
  }
}

/** Numbers of records between two lines of progress. */
const progressEvery = 20_000

export async function verifySource(
  source: RecordSource,
  organization: string | undefined,
  saved: readonly SavedCheckpoints[],
): Promise<AuditVerdict> {
  const { byChain, lines, problems, isTrusted } = await trusted(saved)
  let count = 0
  const note = (more: number) => {
    if (Math.floor((count + more) / progressEvery) > Math.floor(count / progressEvery))
      console.error(`${count + more} records read`)
    count += more
  }
  if (organization !== undefined) {
    let verifier: ChainVerifier | null = null
    for await (const { records, chains, damaged } of source.pages(organization)) {
      const state = chains.find(({ chain }) => chain === organization)
      if (state && !verifier)
        verifier = new ChainVerifier({ chain: organization, state, checkpoints: byChain.get(organization) ?? [] })
      if (state) verifier?.continueTo(state)
      const erasures = await provenErasures(records, isTrusted)
      for (const record of records)
        verifier?.add(inOrganization({ ...record, organizationSeq: record.organizationSeq! }, erasures))
      note(records.length)
      if (damaged) verifier?.addDamaged(damaged)
    }
    if (!verifier && count === 0 && !byChain.has(organization)) {
      throw new CliError(
        `The audit log has no sealed record of the organization ${organization}.`,
        'check the id, or wait for a minute',
      )
    }
    const none = { sealedSeq: 0, sealedHash: '', deletedSeq: 0, deletedHash: '' }
    const checkpoints = byChain.get(organization) ?? []
    const done = verifier ?? new ChainVerifier({ chain: organization, state: none, checkpoints })
    const problem = done.end()
    return {
      lines: [...lines, ...(problem ? [] : [intact(done, `organization ${organization}`)])],
      problems: [...problems, ...(problem ? [describeProblem(problem)] : [])],
      next: afterwards,
    }
  }
  const verifier = new LogVerifier(byChain)
  for await (const page of source.pages(undefined)) {
    verifier.add({ ...page, erasures: await provenErasures(page.records, isTrusted) })
    note(page.records.length)
  }
  const found = verifier.end()
  const { counts } = verifier
  if (found.length === 0)
    lines.push(intact(counts, `the deployment, and the chains of organizations (${counts.organizations})`))
  return { lines, problems: [...problems, ...found.map(describeProblem)], next: afterwards }
}

const intact = ({ sealed, unsealed }: { sealed: number; unsealed: number }, place: string): string =>
  `Intact: ${sealed} records of ${place}.${unsealed > 0 ? ` ${unsealed} newer ones are not sealed yet.` : ''}`

async function verifyFile(file: string, saved: readonly SavedCheckpoints[]): Promise<AuditVerdict> {
  const { records, organizationId } = await readExport(file)
  const { byChain, lines, problems, isTrusted } = await trusted(saved)
  const checkpoints = byChain.get(organizationId) ?? []
  const verifier = new ChainVerifier({ chain: organizationId, state: null, checkpoints })
  const erasures = await provenErasures(records, isTrusted)
  for (const record of records) verifier.add(inOrganization(record, erasures))
  const problem = verifier.end()
  const first = records[0]!.organizationSeq
  if (first > 1) lines.push(`The file begins at record ${first}.`)
  if (checkpoints.length === 0)
    lines.push('Without a checkpoint, a log that was rewritten as a whole has no contradiction: pass --checkpoints.')
  return {
    lines: [...lines, ...(problem ? [] : [intact(verifier, `organization ${organizationId}`)])],
    problems: [...problems, ...(problem ? [describeProblem(problem)] : [])],
    next: 'export the log again without filters; if the record is still reported, ask the administrators of the deployment',
  }
}

/** `gatehouse audit`: the integrity of the audit log. */
export const command = new Command('audit')
  .description('Verifies that no record of the audit log was changed or removed.')
  .addCommand(verify)
