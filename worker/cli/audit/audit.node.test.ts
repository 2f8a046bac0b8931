import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  deploymentChain,
  deploymentLink,
  firstLink,
  organizationLink,
  type StoredRecord,
} from '../../kit/audit-chain.ts'
import { checkpointKeys, signCheckpoints } from '../../kit/audit-checkpoint.ts'
import type { LogPage } from '../../kit/verify-audit-chain.ts'
import { runCommand } from '../../testing/run-command.ts'
import { command, verifySource } from './audit.ts'
import { readSaved, type SavedCheckpoints } from './files.ts'
import type { RecordSource } from './sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'audit-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

let said: string[] = []
beforeEach(() => {
  said = []
  for (const name of ['log', 'error'] as const) {
    vi.spyOn(console, name).mockImplementation((text) => void said.push(String(text)))
  }
})
const verify = (...words: string[]) => runCommand(command, ['verify', ...words])

/** Sealed records of one organization. */
function newRecords(length = 5): StoredRecord[] {
  let [own, all] = [firstLink, firstLink]
  return Array.from({ length }, (_, at) => {
    const record = {
      ...{
        seq: at + 1,
        id: `r${at + 1}`,
        createdAt: `2026-01-0${at + 1}T00:00:00.000Z`,
        action: 'organization.update',
      },
      ...{ actorType: 'user', actorId: 'u', actorVia: null, onBehalfOf: null, subjectType: 'organization' },
      ...{ subjectId: 'acme', organizationId: 'acme', organizationSeq: at + 1, ipAddress: null, userAgent: null },
      ...{ requestId: null, before: {}, after: { name: `N${at}` } },
    }
    own = organizationLink(own, record)
    all = deploymentLink(all, { ...record, organizationHash: own })
    return { ...record, organizationHash: own, hash: all }
  })
}

/** The export of the organization, newest first. */
const exported = (records: readonly StoredRecord[]) =>
  records
    .toReversed()
    .map(({ seq: _, hash: __, organizationHash, ...record }) =>
      JSON.stringify({ ...record, actorName: 'Ada', subjectName: null, hash: organizationHash }),
    )
    .join('\n')

const secret = 'a-secret-of-the-deployment-0123456789'
async function checkpointOf(chain: string, records: StoredRecord[], by = secret): Promise<SavedCheckpoints> {
  const { seq, hash, organizationHash } = records.at(-1)!
  const one = {
    ...{ issuer: 'https://a.example', chain, time: new Date(Date.UTC(2026, 0, 9)), seq, deleted: null },
    hash: (chain === deploymentChain ? hash : organizationHash)!,
  }
  const [token = ''] = await signCheckpoints(by, [one])
  return { keys: await checkpointKeys([by]), current: null, checkpoints: [{ token }] }
}

const sourceOf = (records: StoredRecord[], own: SavedCheckpoints, sealed = records): RecordSource => {
  const states = [deploymentChain, 'acme'].map((chain) => ({
    ...{ chain, sealedSeq: sealed.length, deletedSeq: 0, deletedHash: firstLink },
    sealedHash: (chain === deploymentChain ? sealed.at(-1)?.hash : sealed.at(-1)?.organizationHash) ?? firstLink,
  }))
  return {
    async *pages(): AsyncGenerator<LogPage> {
      yield { records: records.slice(0, 2), chains: states }
      yield { records: records.slice(2), chains: states }
    },
    checkpoints: async () => own,
  }
}

describe('gatehouse-auth audit verify --file', () => {
  it('0 for an intact export, 2 with the first changed or removed record and the next step', async () => {
    const records = newRecords()
    expect(await verify('--file', file('good.ndjson', exported(records)))).toBe(0)
    expect(said.join('\n')).toContain('Intact: 5 records of organization acme.')
    said = []
    const changed = records.map((record) => (record.seq === 3 ? { ...record, after: {} } : record))
    expect(await verify('--file', file('changed.ndjson', exported(changed)))).toBe(2)
    expect(said.join('\n')).toMatch(
      /Record 3 of organization acme was changed.*organization\.update, 2026-01-03T00:00:00\.000Z, id r3\.\nNext: /s,
    )
    said = []
    expect(await verify('--file', file('removed.ndjson', exported(records.toSpliced(1, 2))))).toBe(2)
    expect(said.join('\n')).toContain('Records 2 to 3 of organization acme were removed. The next one is')
  })

  it('finds a rewritten export with a saved checkpoint', async () => {
    const saved = file('saved.json', JSON.stringify(await checkpointOf('acme', newRecords())))
    const rewritten = file('short.ndjson', exported(newRecords(4)))
    expect(await verify('--file', rewritten)).toBe(0)
    expect(said.join('\n')).toContain('pass --checkpoints')
    said = []
    expect(await verify('--file', rewritten, '--checkpoints', saved)).toBe(2)
    expect(said.join('\n')).toMatch(
      /Record 5 .* was removed\. The checkpoint of 2026-01-09\S+ confirms that it existed/,
    )
  })

  it('1 for files that are not an export or not checkpoints', async () => {
    const good = file('good.ndjson', exported(newRecords()))
    expect(await verify('--file', file('bad.ndjson', 'time,number'))).toBe(1)
    expect(await verify('--file', file('empty.ndjson', ''))).toBe(1)
    expect(await verify('--file', join(folder, 'none'))).toBe(1)
    expect(await verify('--file', good, '--checkpoints', file('x.json', '{}'))).toBe(1)
    expect(await verify('--file', good, '--url', 'https://a.example')).toBe(1)
    expect(await verify('--url', 'https://a.example')).toBe(1)
    expect(said.filter((line) => !/\nNext: /.test(line))).toEqual([])
  })
})

describe('a deployment', () => {
  it('is verified with its own and with saved checkpoints, as a whole or for one organization', async () => {
    const records = newRecords()
    const own = await checkpointOf(deploymentChain, records)
    const whole = await verifySource(sourceOf(records, own), undefined, [own])
    expect(whole).toMatchObject({
      lines: ['Intact: 5 records of the deployment, and the chains of organizations (1).'],
      problems: [],
    })
    const one = await verifySource(sourceOf(records, own), 'acme', [await checkpointOf('acme', records)])
    expect(one.problems).toEqual([])
    const short = await verifySource(sourceOf(records.slice(0, 4), own, records.slice(0, 4)), undefined, [own])
    expect(short.problems).toEqual([expect.stringContaining('Record 5 of the deployment was removed.')])
    await expect(verifySource(sourceOf([], own, []), 'other', [])).rejects.toThrow('no sealed record')
  })

  it('does not use a checkpoint of an unknown key, and refuses an altered one', async () => {
    const records = newRecords()
    const own = await checkpointOf(deploymentChain, records)
    const foreign = { ...(await checkpointOf(deploymentChain, newRecords(3), 'another-secret')), keys: null }
    const { lines, problems } = await verifySource(sourceOf(records, own), undefined, [own, foreign])
    expect({ lines, problems }).toEqual({
      lines: [expect.stringContaining('Not used: checkpoints with the key'), expect.stringContaining('Intact')],
      problems: [],
    })
    const altered = { ...own, checkpoints: [{ token: own.checkpoints[0]!.token.slice(0, -4) }] }
    const refused = await verifySource(sourceOf(records, altered), undefined, [altered])
    expect(refused.problems).toEqual(['A checkpoint does not have the signature of its key: it was changed.'])
    const saved = file('own.json', JSON.stringify(own))
    expect(readSaved(saved)).toEqual(JSON.parse(readFileSync(saved, 'utf8')))
  })
})
