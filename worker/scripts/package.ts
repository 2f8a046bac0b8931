// `npm run package`, before `npm pack`: builds the Worker, the app, the clients and the command for the package.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputOptions, rolldown } from 'rolldown'
import { writeDocumentation } from './docs.ts'
import { bundleTypes } from './package-types.ts'
import { quietEnvironment, root, runAll } from './tools.ts'

const folder = join(root, 'dist/package')

/** Bundles modules with their imports, except those of the runtime and of the consumer's package. */
async function bundle(
  input: Record<string, string>,
  platform: 'neutral' | 'node',
  output: OutputOptions,
): Promise<void> {
  const built = await rolldown({
    input,
    cwd: root,
    platform,
    // bcryptjs imports Node's module without its prefix.
    external: [/^cloudflare:/, /^node:/, 'crypto', 'react'],
    resolve: {
      conditionNames: ['workerd', 'worker', 'import', 'default'],
      mainFields: ['module', 'main'],
    },
  })
  await built.write({ dir: folder, format: 'esm', sourcemap: true, paths: { crypto: 'node:crypto' }, ...output })
}

rmSync(folder, { recursive: true, force: true })
if (!process.argv.includes('--without-app')) {
  await runAll([['Build the app', 'vite', ['build', 'client', '--logLevel', 'warn']]], quietEnvironment)
}
console.log('\nBundle the package')
await bundle({ index: 'worker/gatehouse.ts' }, 'neutral', { codeSplitting: false })
await bundle({ client: 'client/sdk/client.ts', react: 'client/sdk/react.ts' }, 'neutral', {})
await bundle({ gatehouse: 'worker/cli/gatehouse.ts' }, 'node', {})
await bundleTypes(
  { index: 'worker/gatehouse.ts', client: 'client/sdk/client.ts', react: 'client/sdk/react.ts' },
  folder,
)
writeDocumentation(join(root, 'dist/docs'))
