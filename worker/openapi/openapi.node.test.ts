import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { routesOfOperations } from '../http/operations.ts'
import { readContracts } from '../testing/contracts.ts'
import { readOperations } from '../testing/operation-table.ts'
import { documentedSettings } from '../testing/wire.ts'
import { openApiDocument } from './openapi.ts'

it('an independent validator accepts the OpenAPI document', async () => {
  const operations = (await readOperations()).map(({ name, operation }) => [name, operation] as const)
  const { contract } = routesOfOperations(Object.fromEntries(operations))
  const contracts = [...(await readContracts()), { name: 'server', contract }]
  expect(contracts.length).toBeGreaterThan(15)
  // A separate name for each tag, because sub-features may share one.
  const document = openApiDocument(contracts, { ...documentedSettings }, {})
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})
