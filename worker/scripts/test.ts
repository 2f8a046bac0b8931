// `npm test`: what a change needs before it is pushed. `npm run test:all`: everything (vitest.config.ts). With arguments it
// runs vitest alone, which gets them: `npm test -- worker/kit`. `-- --slowest` prints the slowest files at the end.
// `npm run surface`, after `npm run package`: writes what later versions are compared with (worker/testing/released).
// `npm run canary`, after `npm run package`: a part of `test:products`, for the templates whose packages this repository has.
// `npm run test:products [-- -t NAME]`: from README.md to a deployed dry run with the template of each framework, after
// `npm run package`. What npm's cache does not have comes from its registry.

import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { quietEnvironment, runAll, type Step } from './tools.ts'

const options = ['--all', '--slowest', '--products', '--canary', '--surface']
const given = process.argv.slice(2)
const isProducts = given.includes('--products')
const isCanary = given.includes('--canary')
const isSurface = given.includes('--surface')
const ofOption = [
  ...(isProducts || isCanary ? ['--project', 'e2e', 'worker/scripts/stranger'] : []),
  ...(isSurface ? ['--project', 'node', 'worker/checks/released-wire'] : []),
]
const chosen = [...ofOption, ...given.filter((argument) => !options.includes(argument))]
const isWhole = chosen.length === 0
/** Files that are named are run whole. */
const everything = given.includes('--all') || !isWhole
const reporters = given.includes('--slowest')
  ? ['--reporter', 'default', '--reporter', 'worker/testing/slowest.ts']
  : []

/** Tests store on the disk in memory if it has room and programs may start from it; TMPDIR overrides this. */
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

/**
 * A walk in a browser waits half of its time, and a test inside workerd never does: side by side they keep two cores busy
 * until the end. One process of vitest would run one kind after the other. The tests inside workerd come first where both
 * want a core.
 */
const allTests: Step[] = [
  ['Run the tests in workerd and in Node', 'vitest', ['run', '--project', 'worker', '--project', 'node', ...reporters]],
  ['Run the tests of a running Worker', 'vitest', ['run', '--project', 'e2e', ...reporters], 5],
]

const build: Step = ['Build the app', 'vite', ['build', 'client', '--logLevel', 'warn']]

const packageBuild: Step = ['Build the package', 'worker/scripts/package.ts', ['--without-app']]

const checks: Step[] = [
  build,
  // Each thread of the compiler would compute the large types of the contracts again.
  ['Check the types of the Worker', 'tsc', ['-p', '.', '--singleThreaded']],
  ['Check the types of the app', 'tsc', ['-p', 'client', '--singleThreaded']],
  ['Check the types of the documentation', 'tsc', ['-p', 'worker/docs', '--singleThreaded']],
  ['Check the style', 'biome', ['check']],
]

/** A browser walks through the built app, and pages contain its first screens. */
const needsApp =
  !isProducts && (chosen.some((argument) => argument.includes('e2e')) || !existsSync('dist/client/.vite/prerender.js'))

await runAll(
  isWhole
    ? // Only its own tests need the package, which contains the built app.
      [checks, ...(everything ? [[packageBuild]] : []), allTests]
    : [...(needsApp ? [build] : []), ['Run the tests', 'vitest', ['run', ...reporters, ...chosen]]],
  {
    ...quietEnvironment,
    TEST_SAMPLE: everything ? '' : '1',
    ...(isProducts ? { STRANGER: 'all' } : {}),
    ...(isSurface ? { WRITE_SURFACE: '1' } : {}),
    ...(folder ? { TMPDIR: folder } : {}),
  },
)
