import type { Jurisdiction } from '../../platform/jurisdiction.ts'
import { archiveTable, databaseTable, namespaceTitle, readDatabases, readNamespaces, type Store } from '../account.ts'
import { isPlaceholderId } from '../template.ts'
import type { Target } from '../wrangler.ts'
import { tablesIn, type WranglerConfig } from '../wrangler-config.ts'
import { type Check, ok, problem } from './check.ts'

const shown = (jurisdiction: unknown): string => (jurisdiction ? `the jurisdiction ${jurisdiction}` : 'no jurisdiction')

/** Whether the file binds the bucket in the jurisdiction of the configuration. */
export function bindingChecks(chosen: Jurisdiction | null, file: WranglerConfig): Check[] {
  const table = archiveTable(file)
  if (!table || (table.jurisdiction ?? null) === chosen) return []
  const text = `the configuration says ${shown(chosen)}, and ${file.path} binds ARCHIVE in ${shown(table.jurisdiction)}`
  if (chosen === null)
    return [
      problem('jurisdiction', text, `set jurisdiction: '${table.jurisdiction}' in gatehouse(...), or remove the line`),
    ]
  return [problem('jurisdiction', text, `set jurisdiction = "${chosen}" in the table of ARCHIVE`)]
}

/** Whether the stores that exist are in the jurisdiction of the configuration. A bucket is found only in its own. */
export async function storeChecks(chosen: Jurisdiction | null, target: Target, file: WranglerConfig): Promise<Check[]> {
  const [databases, namespaces] = await Promise.all([readDatabases(target), readNamespaces(target)])
  const table = databaseTable(file, target.database)
  const kv = tablesIn(file.values, 'kv_namespaces').find(({ binding }) => binding === 'KV')
  const stores = [
    ['database', find(databases, table.database_id, String(table.database_name ?? file.values.name))],
    ['KV namespace', find(namespaces, kv?.id, namespaceTitle(file))],
  ] as const
  const others = stores.filter(([, store]) => store && store.jurisdiction !== chosen)
  if (others.length === 0) return [ok('jurisdiction', chosen ?? 'none: Cloudflare chooses the places of the stores')]
  return others.map(([what, store]) =>
    problem(
      'jurisdiction',
      `the configuration says ${shown(chosen)}, and the ${what} ${store!.id} is in ${shown(store!.jurisdiction)}`,
      `a store has its jurisdiction from its creation: ${inConfiguration(store!.jurisdiction)}, or move the data into new stores (guide operate.md, "Where the data is")`,
    ),
  )
}

const inConfiguration = (jurisdiction: string | null): string =>
  jurisdiction ? `set jurisdiction: '${jurisdiction}' in gatehouse(...)` : 'remove jurisdiction from gatehouse(...)'

/** The store of an id, or the one of a name that an ended deployment has created. */
const find = (stores: ReadonlyMap<string, Store>, id: unknown, name: string): Store | undefined =>
  isPlaceholderId(id) ? stores.get(name) : [...stores.values()].find((one) => one.id === id)
