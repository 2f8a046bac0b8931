import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isBuilt } from '../../../client/sources.ts'
import { quietEnvironment, root, run } from '../tools.ts'

const built = join(root, 'dist/client')

/** Builds the app, if its sources have changed. After a failure dist/client keeps the previous one. */
export async function buildApp(): Promise<'current' | 'built' | 'failed'> {
  // The runtime requires the folder.
  mkdirSync(built, { recursive: true })
  const current = isBuilt(built)
  // The Worker comes first where both want a core.
  const options = { env: quietEnvironment, niceness: 10 }
  if (current) return 'current'
  console.log('Building the app; its pages wait for it ...')
  return (await run('vite', ['build', 'client', '--logLevel', 'warn'], options)) === 0 ? 'built' : 'failed'
}
