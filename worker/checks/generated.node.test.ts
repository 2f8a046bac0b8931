import { expect, it, vi } from 'vitest'
import { contractFile, languageFilesFile, optionsFile, personalDataFile } from '../scripts/generated-lists.ts'
import { appPathsFile } from '../testing/app-paths.ts'
import { defaultOptionsFile } from '../testing/default-options.ts'
import { endpointGuide } from '../testing/endpoint-guide.ts'
import { endpointTable } from '../testing/endpoint-table.ts'
import { errorGuide } from '../testing/error-guide.ts'
import { operationMethods, operationTable } from '../testing/operation-table.ts'
import { optionsGuide } from '../testing/options-guide.ts'
import { pathTable } from '../testing/path-table.ts'

// The endpoints of features import classes of the runtime, which nothing calls here.
vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, WorkerEntrypoint: class {}, env: {}, tracing: {} }))
vi.mock('cloudflare:sockets', () => ({ connect: () => {} }))

it.each<[file: string, text: () => string | Promise<string>]>([
  ['worker/contract.ts', contractFile],
  ['worker/languages/files.generated.ts', languageFilesFile],
  ['worker/configuration/options.ts', optionsFile],
  ['worker/configuration/defaults.generated.ts', defaultOptionsFile],
  ['worker/rpc/personal-data.ts', personalDataFile],
  ['worker/http/paths.generated.ts', pathTable],
  ['worker/rpc/server-operations.ts', operationMethods],
  ['worker/rpc/operation-table.ts', operationTable],
  ['client/lib/auth/endpoints.generated.ts', endpointTable],
  ['worker/http/pages/app-paths.generated.ts', appPathsFile],
  ['worker/guides/options.md', optionsGuide],
  ['worker/guides/troubleshooting.md', errorGuide],
  ['worker/guides/endpoints.md', endpointGuide],
])('%s is up to date; otherwise: npm run generate', async (file, text) => {
  await expect(await text()).toMatchFileSnapshot(`../../${file}`)
})
