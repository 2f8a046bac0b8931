import { expect, it } from 'vitest'
import { appPathsFile } from './app-paths.ts'
import { endpointTable } from './endpoint-table.ts'

it("the client's table of endpoints is what the contracts say; else: npm run generate", async () => {
  await expect(await endpointTable()).toMatchFileSnapshot('../../client/lib/auth/endpoints.generated.ts')
})

it("the Worker's list of screens is what the app's routes say; else: npm run generate", async () => {
  await expect(appPathsFile()).toMatchFileSnapshot('../http/pages/app-paths.generated.ts')
})
