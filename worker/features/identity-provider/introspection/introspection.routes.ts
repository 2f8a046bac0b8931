import type { Handlers } from '../../../http/routes.ts'
import { noStore } from '../protocol/responses.ts'
import type { introspectionContract } from './introspection.contract.ts'
import { introspect } from './introspection.ts'

export const introspectionHandlers: Handlers<typeof introspectionContract> = {
  introspect: async ({ scope, request, raw }) => noStore(await introspect(scope, request, raw)),
}
