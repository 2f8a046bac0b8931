import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { built, isBuilt } from '../../docs/guides.ts'
import { quietEnvironment, root, run } from '../tools.ts'

/** The site among the files of the app. A build of the app empties the folder, so /docs exists in development only. */
const served = join(root, 'dist/client/docs')

/** Builds the documentation, if its sources have changed. After a failure the previous one is served. */
export async function buildDocs(): Promise<'current' | 'built' | 'failed'> {
  if (isBuilt(served)) return 'current'
  if (!isBuilt(built)) {
    console.log('Building the documentation ...')
    if ((await run('vitepress', ['build', 'worker/docs', '--logLevel', 'warn'], { env: quietEnvironment })) !== 0)
      return 'failed'
  }
  // A page that is open loads what its build has named until it is reloaded.
  for (const entry of existsSync(served) ? readdirSync(served) : []) {
    if (entry !== 'assets') rmSync(join(served, entry), { recursive: true })
  }
  cpSync(built, served, { recursive: true })
  return 'built'
}
