import type { Handlers } from '../../../http/routes.ts'
import { endedPage } from '../../../identity/sessions/ended-list.contract.ts'
import { endedTokensAfter } from '../../../identity/sessions/ended-sessions.ts'
import { tokensKeptFor } from '../model/grants/ended-tokens.ts'
import { noStore } from '../model/protocol/responses.ts'
import { isJwtActive } from '../validate-token.ts'
import type { introspectionContract } from './introspection.contract.ts'
import { introspect } from './introspection.ts'

export const introspectionHandlers: Handlers<typeof introspectionContract> = {
  introspect: async ({ scope, request, raw }) => noStore(await introspect(scope, request, raw)),
  endedTokens: async ({ scope, query }) =>
    noStore({ ...(await endedTokensAfter(scope, query.after, endedPage)), keep: tokensKeptFor(scope) / 1000 }),
  accessTokenStatus: async ({ scope, body }) => noStore({ active: await isJwtActive(scope, body.token) }),
}
