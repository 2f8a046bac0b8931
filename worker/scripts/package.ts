// `npm run package`, before `npm pack`: builds the Worker, the app, the clients and the command for the package.

import { globSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { bundle, bundleWorker } from './bundle.ts'
import { bundleTypes } from './package-types.ts'
import { writeTemplate } from './template.ts'
import { quietEnvironment, root, runAll } from './tools.ts'

const folder = join(root, 'dist/package')

/** Each adapter of a framework is an entry of its name. */
const adapters = Object.fromEntries(
  globSync('client/sdk/adapters/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .sort()
    .map((file) => [basename(file, '.ts'), file]),
)
const authentication = { authenticator: 'client/sdk/authenticator/authenticator.ts', ...adapters }

rmSync(folder, { recursive: true, force: true })
if (!process.argv.includes('--without-app')) {
  await runAll([['Build the app', 'vite', ['build', 'client', '--logLevel', 'warn']]], quietEnvironment)
}
console.log('\nBundle the package')
await bundleWorker({ entry: 'worker/gatehouse.ts', dir: folder })
await bundle({ client: 'client/sdk/client.ts', react: 'client/sdk/react.ts' }, 'neutral', { dir: folder })
await bundle({ server: 'worker/rpc/client.ts' }, 'neutral', { dir: folder })
await bundle(authentication, 'neutral', { dir: folder, chunkFileNames: 'adapter-[hash].js' })
await bundle({ testing: 'client/sdk/testing.ts' }, 'neutral', { dir: folder })
await bundle({ 'testing-billing': 'worker/testing/outside/billing-simulator.ts' }, 'node', { dir: folder })
await bundle({ gatehouse: 'worker/cli/gatehouse.ts' }, 'node', { dir: folder })
await bundleTypes(
  [
    { index: 'worker/gatehouse.ts' },
    { client: 'client/sdk/client.ts', react: 'client/sdk/react.ts' },
    { components: 'client/sdk/components/components.tsx' },
    { server: 'worker/rpc/client.ts' },
    authentication,
    { testing: 'client/sdk/testing.ts' },
    { 'testing-billing': 'worker/testing/outside/billing-simulator.ts' },
  ],
  folder,
)
writeTemplate(join(root, 'dist/template'))
