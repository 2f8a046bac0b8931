import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { quietEnvironment, root } from '../scripts/tools.ts'

/** Bundles the Worker once, as for a deployment, for all servers of a run: BUILT_WORKER names the folder. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-worker-'))
  await promisify(execFile)('npx', ['wrangler', 'deploy', '--dry-run', '--outdir', folder], {
    cwd: root,
    env: quietEnvironment,
  })
  process.env.BUILT_WORKER = folder
  return () => rm(folder, { recursive: true, force: true })
}
