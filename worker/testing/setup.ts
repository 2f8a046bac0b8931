import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach } from 'vitest'
import { features } from '../features.ts'
import type { FeatureDescriptor } from '../http/feature.ts'
import { loadFile } from '../http/load-features.ts'
import type { Env } from '../platform/env.ts'
import { serverFeature } from '../rpc/served-features.ts'
import { schemaOf, seedOf, tablesOf } from './schema.ts'

const bindings = env as unknown as Env & { TEST_MIGRATIONS: D1Migration[] }
const { DB, KV, ARCHIVE, TEST_MIGRATIONS } = bindings

// Tests call what a request would have loaded.
const all: readonly FeatureDescriptor[] = [...features, serverFeature]
await Promise.all((['endpoints', 'parts', 'ends'] as const).map((file) => loadFile(all, file)))

interface State {
  /** Counts the tests. Each test has separate Durable Objects, so none must be deleted. */
  test: number
  /** The schema after the migrations, and the statements that empty it. */
  laid?: { fingerprint: string; sql: string; empty: string }
  /** The rows that the connection of the database has changed, after the last test began. */
  changes?: number
  isRunning?: boolean
  generateKey?: SubtleCrypto['generateKey']
  /** RSA keys of tests, by algorithm. */
  keys?: Map<string, { pairs: CryptoKeyPair[]; test: number; used: number }>
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

state.keys ??= new Map()
state.generateKey ??= SubtleCrypto.prototype.generateKey

/**
 * A new RSA key takes a tenth of a second, and many tests need one. The keys of a test are different ones, but those of
 * earlier tests. What is generated outside of a test is new.
 */
Object.defineProperty(SubtleCrypto.prototype, 'generateKey', {
  configurable: true,
  async value(this: SubtleCrypto, ...given: Parameters<SubtleCrypto['generateKey']>) {
    const [algorithm] = given
    const generate = () => state.generateKey!.apply(this, given)
    if (!state.isRunning || typeof algorithm === 'string' || !algorithm.name.startsWith('RSA')) return generate()
    const key = JSON.stringify(given)
    const pool = state.keys!.get(key) ?? { pairs: [], test: 0, used: 0 }
    state.keys!.set(key, pool)
    if (pool.test !== state.test) Object.assign(pool, { test: state.test, used: 0 })
    const at = pool.used++
    pool.pairs[at] ??= (await generate()) as CryptoKeyPair
    return pool.pairs[at]
  },
})

const facts = async () => {
  const query = `select group_concat(sql, ';') as fingerprint, total_changes() as changes from sqlite_master`
  const { fingerprint, changes } = (await DB.prepare(query).first<{ fingerprint: string | null; changes: number }>())!
  return { fingerprint: fingerprint ?? '', changes }
}

/** Deletes everything. The first call of a store opens it again, so that what a test writes is in the new one. */
async function resetStores(): Promise<void> {
  await reset()
  await KV.put('opened', '')
  await KV.delete('opened')
}

/** Deletes everything and creates the schema again, for the first test and for tests that change the schema. */
async function layOut(): Promise<void> {
  delete state.changes
  await resetStores()
  if (state.laid) {
    await DB.prepare(state.laid.sql).run()
    return
  }
  await applyD1Migrations(DB, TEST_MIGRATIONS)
  const [sql, seed, tables] = await Promise.all([schemaOf(DB), seedOf(DB), tablesOf(DB)])
  await resetStores()
  await DB.prepare(sql).run()
  const deletions = tables.map((name) => `delete from "${name}"`)
  // Runs twice, because a trigger may write a row while another table is emptied.
  const empty = ['pragma defer_foreign_keys = on', ...deletions, ...deletions, ...seed].join(';\n')
  state.laid = { fingerprint: (await facts()).fingerprint, sql, empty }
}

/** Most tests of pure functions change nothing, and the others would wait for them. */
async function emptyDatabase(): Promise<void> {
  const { fingerprint, changes } = await facts()
  if (state.laid?.fingerprint !== fingerprint) return layOut()
  if (changes === state.changes) return
  await DB.prepare(state.laid.empty).run()
  state.changes = (await facts()).changes
}

async function emptyKv(): Promise<void> {
  const { keys } = await KV.list()
  await Promise.all(keys.map(({ name }) => KV.delete(name)))
}

/** Few tests write objects, and a list of them takes a millisecond. */
async function emptyArchive(): Promise<void> {
  const { objects } = await ARCHIVE!.list()
  if (objects.length > 0) await ARCHIVE!.delete(objects.map(({ key }) => key))
}

beforeEach(async () => {
  state.test++
  await emptyDatabase().catch(layOut)
  await emptyKv()
  await emptyArchive()
  state.isRunning = true
})

afterEach(() => {
  state.isRunning = false
})
