import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleWorker } from '../scripts/bundle.ts'

/** Bundles the Worker once, as for a deployment, for all servers of a run: BUILT_WORKER names the folder. */
export default async function setup(): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-worker-'))
  await bundleWorker({ entry: 'worker/index.ts', dir })
  process.env.BUILT_WORKER = dir
  return () => rm(dir, { recursive: true, force: true })
}
