// `npm test`: everything. Arguments go to vitest: `npm test -- worker/kit`.

import { quietEnvironment, runAll } from './tools.ts'

await runAll(
  [
    ['Build the app', 'vite', ['build', 'client', '--logLevel', 'warn']],
    ['Check the types of the Worker', 'tsc', ['-p', '.']],
    ['Check the types of the app', 'tsc', ['-p', 'client']],
    ['Check the style', 'biome', ['check']],
    ['Run the tests', 'vitest', ['run', ...process.argv.slice(2)]],
  ],
  quietEnvironment,
)
