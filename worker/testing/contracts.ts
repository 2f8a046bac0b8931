import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Contract } from '../http/endpoint.ts'

/** Every contract of the Worker, read from its files to include all of them. For tests that run in Node. */
export async function readContracts(): Promise<{ name: string; feature: string; contract: Contract }[]> {
  const folder = join(import.meta.dirname, '../features')
  const files = globSync('**/*.contract.ts', { cwd: folder }).sort()
  const modules = await Promise.all(
    files.map(async (file) => ({
      name: basename(file, '.contract.ts'),
      feature: file.split(/[\\/]/)[0]!,
      exported: (await import(join(folder, file))) as Record<string, unknown>,
    })),
  )
  return modules.flatMap(({ name, feature, exported }) =>
    Object.entries(exported)
      .filter(([key]) => key.endsWith('Contract'))
      .map(([, contract]) => ({ name, feature, contract: contract as Contract })),
  )
}
