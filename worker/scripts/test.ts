// `npm test`: everything. Arguments go to vitest: `npm test -- worker/kit`.

import { readFileSync, statfsSync } from 'node:fs'
import { quietEnvironment, runAll, type Step } from './tools.ts'

const chosen = process.argv.slice(2)
const everything = chosen.length === 0

/**
 * What tests store is thrown away after each of them, so it goes where writing costs nothing: to the disk in memory, if
 * the system has one with room to spare from which programs may be started. TMPDIR says otherwise.
 */
function temporaryFolder(): string | undefined {
  if (process.env.TMPDIR) return process.env.TMPDIR
  try {
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^tmpfs \/dev\/shm tmpfs (\S+)/m)
    const { bavail, bsize } = statfsSync('/dev/shm')
    const fits = bavail * bsize > 8 * 2 ** 30
    return mount && !mount[1]!.split(',').includes('noexec') && fits ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

const folder = temporaryFolder()

await runAll(
  [
    [
      ['Build the app', 'vite', ['build', 'client', '--logLevel', 'warn']],
      // Only its own test needs it.
      ...(everything ? [['Build the package', 'worker/scripts/package.ts', ['--without-app']] satisfies Step] : []),
      ['Check the types of the Worker', 'tsc', ['-p', '.']],
      ['Check the types of the app', 'tsc', ['-p', 'client']],
      ['Check the style', 'biome', ['check']],
    ],
    ['Run the tests', 'vitest', ['run', ...chosen]],
  ],
  { ...quietEnvironment, ...(folder ? { TMPDIR: folder } : {}) },
)
