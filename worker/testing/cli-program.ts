import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../scripts/bundle.ts'
import { root } from '../scripts/tools.ts'

let built: Promise<string> | undefined

/**
 * The file of the bundled command, as the package has it: Node alone reads neither its JSON imports nor all of its types.
 * The bundle of each process is a folder of its own in dist, two levels below the files of the package.
 */
export function cliProgram(): Promise<string> {
  built ??= build()
  return built
}

async function build(): Promise<string> {
  const dir = join(root, 'dist', `cli-${process.pid}`)
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  await bundle({ gatehouse: 'worker/cli/gatehouse.ts' }, 'node', { dir, sourcemap: false })
  return join(dir, 'gatehouse.js')
}
