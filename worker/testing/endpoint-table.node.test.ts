import { expect, it } from 'vitest'
import { endpointTable } from './endpoint-table.ts'

it("the client's table of endpoints is what the contracts say; else: npm run generate", async () => {
  await expect(await endpointTable()).toMatchFileSnapshot('../../client/lib/auth/endpoints.generated.ts')
})
