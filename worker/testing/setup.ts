import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach } from 'vitest'
import type { Env } from '../platform/env.ts'
import { schemaOf, seedOf, tablesOf } from './schema.ts'

const bindings = env as unknown as Env & { TEST_MIGRATIONS: D1Migration[] }
const { DB, KV, TEST_MIGRATIONS } = bindings

interface State {
  /** Counts the tests. Each test has separate Durable Objects, so none must be deleted. */
  test: number
  /** The schema after the migrations, and the statements that empty it. */
  laid?: { fingerprint: string; sql: string; empty: string }
}

/** The state of this vitest worker, which runs several files. */
const { gatehouseTests: state } = Object.assign(globalThis, {
  gatehouseTests: (globalThis as { gatehouseTests?: State }).gatehouseTests ?? ({ test: 0 } as State),
})

for (const binding of ['ONE_TIME', 'COUNTER', 'ENDED_SESSIONS', 'LIVE'] as const) {
  const namespace = bindings[binding] as DurableObjectNamespace
  const { getByName } = Object.getPrototypeOf(namespace) as typeof namespace
  Object.defineProperty(namespace, 'getByName', {
    value: (name: string) => getByName.call(namespace, `${state.test}:${name}`),
    configurable: true,
  })
}

const fingerprint = async () =>
  (await DB.prepare(`select group_concat(sql, ';') as schema from sqlite_master`).first<string>('schema')) ?? ''

/** Deletes everything and creates the schema again, for the first test and for tests that change the schema. */
async function layOut(): Promise<void> {
  await reset()
  if (state.laid) {
    await DB.prepare(state.laid.sql).run()
    return
  }
  await applyD1Migrations(DB, TEST_MIGRATIONS)
  const [sql, seed, tables] = await Promise.all([schemaOf(DB), seedOf(DB), tablesOf(DB)])
  await reset()
  await DB.prepare(sql).run()
  const deletions = tables.map((name) => `delete from "${name}"`)
  // Runs twice, because a trigger may write a row while another table is emptied.
  const empty = ['pragma defer_foreign_keys = on', ...deletions, ...deletions, ...seed].join(';\n')
  state.laid = { fingerprint: await fingerprint(), sql, empty }
}

async function emptyDatabase(): Promise<void> {
  if (state.laid?.fingerprint !== (await fingerprint())) return layOut()
  await DB.prepare(state.laid.empty).run()
}

async function emptyKv(): Promise<void> {
  const { keys } = await KV.list()
  await Promise.all(keys.map(({ name }) => KV.delete(name)))
}

beforeEach(async () => {
  state.test++
  await emptyDatabase().catch(layOut)
  await emptyKv()
  // The first test of a worker creates the schema.
}, 60_000)
