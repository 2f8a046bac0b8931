// `npm test`: everything. Arguments go to vitest: `npm test -- worker/kit`.

import { quietEnvironment, runAll, type Step } from './tools.ts'

const chosen = process.argv.slice(2)
const everything = chosen.length === 0

await runAll(
  [
    ['Build the app', 'vite', ['build', 'client', '--logLevel', 'warn']],
    // Only its own test needs it.
    ...(everything ? [['Build the package', 'worker/scripts/package.ts', ['--without-app']] satisfies Step] : []),
    ['Check the types of the Worker', 'tsc', ['-p', '.']],
    ['Check the types of the app', 'tsc', ['-p', 'client']],
    ['Check the style', 'biome', ['check']],
    ['Run the tests', 'vitest', ['run', ...chosen]],
  ],
  quietEnvironment,
)
