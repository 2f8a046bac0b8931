import { beforeEach, describe, expect, it, vi } from 'vitest'
import { previousTables } from '../identity/jobs/previous-version.ts'
import { mergeOptions } from '../kit/options.ts'
import storage from '../storage.md?raw'
import { approvalBounds } from '../testing/bounds/approvals.ts'
import { clientBounds } from '../testing/bounds/clients.ts'
import { deploymentBounds } from '../testing/bounds/deployment.ts'
import { directoryBounds } from '../testing/bounds/directories.ts'
import { counterBounds, kvBounds, objectBounds } from '../testing/bounds/objects.ts'
import { organizationBounds } from '../testing/bounds/organizations.ts'
import { peopleBounds } from '../testing/bounds/people.ts'
import { env, TestApp } from '../testing/harness.ts'
import { rowCounts } from '../testing/rows.ts'
import { sample } from '../testing/sample.ts'
import { tablesOf } from '../testing/schema.ts'

/**
 * Everything that a request can create has a maximum per actor, and a request beyond it creates nothing. What a day of an
 * actor bounds as a whole is in growth-per-day.test.ts. A new table, record or key needs a row.
 */
const tableBounds = {
  ...peopleBounds,
  ...organizationBounds,
  ...directoryBounds,
  ...clientBounds,
  ...approvalBounds,
  ...deploymentBounds,
}

/** By the prefix of the heading in the results. */
const groups = { table: tableBounds, object: objectBounds, counter: counterBounds, key: kvBounds }

/** Names of records and keys in a table of storage.md. */
function namesBelow(heading: string): string[] {
  const [, section = ''] = storage.split(heading)
  const lines = section.split(/\n(?=\n[^|])/)[0]!.split('\n')
  return lines.flatMap((line) =>
    [...(line.match(/^\| ([^|]+) \|/)?.[1]?.matchAll(/`([^`]+)`/g) ?? [])].map(([, name]) => name!),
  )
}

describe('every row of storage.md', () => {
  it.each([
    [
      'tables',
      Object.keys(tableBounds),
      // No request of this version writes the previous tables, and the cron trigger empties them.
      async () => (await tablesOf(env.DB)).filter((name) => !['d1_migrations', ...previousTables].includes(name)),
    ],
    ['records', Object.keys(objectBounds), () => namesBelow('`OneTimeRecord`:')],
    ['counters', Object.keys(counterBounds), () => namesBelow('`Counter`: one object per key')],
    ['keys of KV', Object.keys(kvBounds), () => namesBelow('\n## KV')],
  ])('has its bounds: %s', async (_what, names, read) => {
    const expected = await read()
    expect(expected.length).toBeGreaterThan(3)
    expect(names.sort()).toEqual(expected.sort())
  })
})

/** Tables that a refused request may write: counts of the maximum, and the sign-in log. */
const logs = ['audit_budgets', 'security_events']

/** Notes the names of objects. */
function noting<N extends { getByName(name: string): unknown }>(namespace: N, names: Set<string>): N {
  return new Proxy(namespace, {
    get: (target, property) =>
      property === 'getByName'
        ? (name: string) => {
            names.add(name)
            return target.getByName(name)
          }
        : Reflect.get(target, property),
  })
}

const rows = Object.entries(groups).flatMap(([group, bounds]) =>
  Object.entries(bounds).flatMap(([name, ways]) =>
    typeof ways === 'string'
      ? []
      : ways.map(
          (bound) =>
            [`${group} ${name}: ${bound.by}, ${bound.max} per ${bound.per}`, { ...bound, group, name }] as const,
        ),
  ),
)

beforeEach(() => {
  for (const level of ['log', 'info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

it.each(sample(rows, 12))(
  '%s',
  async (_title, { group, name, max, config = {}, environment, ofPath, reach, status, grows = true, beyond }) => {
    const objects = { ONE_TIME: new Set<string>(), COUNTER: new Set<string>() }
    const app = new TestApp(
      mergeOptions({ rateLimit: { enabled: ofPath === true } }, config),
      {
        ...environment,
        ONE_TIME: noting(env.ONE_TIME, objects.ONE_TIME),
        COUNTER: noting(env.COUNTER, objects.COUNTER),
      },
      false,
    )
    const counts = async (): Promise<Record<string, number>> => ({
      ...(await rowCounts()),
      object: objects.ONE_TIME.size,
      counter: objects.COUNTER.size,
      key: (await env.KV.list({ prefix: group === 'key' ? name : 'verification:' })).keys.length,
    })
    const counted = group === 'table' ? name : group
    const accepts = ({ status: found, body }: { status: number; body: unknown }) =>
      status === undefined ? expect(found, JSON.stringify(body)).toBeLessThan(400) : expect(found).toBe(status)
    if (beyond === 'none') {
      const create = await reach(app, max)
      const before = await counts()
      accepts(await create(1))
      expect((await counts())[counted]).toBe(before[counted])
      return
    }
    const create = await reach(app, max - 1)
    const before = await counts()
    accepts(await create(1))
    const full = await counts()
    if (grows) expect(full[counted]).toBeGreaterThan(before[counted]!)
    const refused = await create(2)
    const { status: found, body } = refused
    expect({ status: found, code: body.code ?? body.scimType ?? body.error ?? null, body }).toMatchObject(beyond)
    const after = await counts()
    const others = ['object', 'counter', 'key'].filter((one) => one !== group)
    const grown = Object.keys(after).filter((one) => after[one]! > full[one]!)
    expect(grown.filter((one) => ![...logs, ...others].includes(one))).toEqual([])
  },
)
