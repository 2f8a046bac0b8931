import { routesOfOperations } from '../http/operations.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { readContracts } from './contracts.ts'
import { readOperations } from './operation-table.ts'
import { type Wire, wireOf } from './surface.ts'

export const documentedSettings = {
  appName: 'Gatehouse',
  environment: 'development',
  baseUrl: 'http://localhost:8787',
  baseUrlIsTaken: false,
  secrets: ['s'.repeat(32)],
  profile: 'compatible',
  trustedOrigins: [],
  jurisdiction: null,
  adminEmails: [],
} as const

/** The inputs and responses of all endpoints. */
export async function wireOfContracts(): Promise<Wire> {
  const operations = (await readOperations()).map(({ name, operation }) => [name, operation] as const)
  const { contract } = routesOfOperations(Object.fromEntries(operations))
  const contracts = [...(await readContracts()), { name: 'server', contract }]
  return wireOf(openApiDocument(contracts, { ...documentedSettings }, {}))
}
