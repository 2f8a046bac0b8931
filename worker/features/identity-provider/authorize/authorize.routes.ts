import type { Handlers } from '../../../http/routes.ts'
import { endpointUrl } from '../../../identity/settings.ts'
import { presentClient } from '../model/clients/client.ts'
import { findClient } from '../model/clients/find-client.ts'
import { readResources, resourceIdentifiers } from '../model/protocol/known-resources.ts'
import { asQuery, goTo, queryStringOf } from '../model/protocol/responses.ts'
import type { authorizeContract } from './authorize.contract.ts'
import { authorize } from './authorize.ts'
import { formPostPage } from './form-post.ts'
import { waitingClientId } from './login-prompt.ts'

export const authorizeHandlers: Handlers<typeof authorizeContract> = {
  authorize: async ({ scope, request }) => {
    await readResources(scope)
    const resources = resourceIdentifiers(scope)
    return goTo(request, await authorize(scope, queryStringOf(request), { path: '/oauth2/authorize', resources }))
  },
  authorizeByPost: ({ scope, raw }) => asQuery(endpointUrl(scope, '/oauth2/authorize'), raw),
  formPost: ({ scope, query }) => formPostPage(scope, query.answer),
  loginPrompt: async ({ scope }) => {
    const clientId = waitingClientId(scope)
    const client = clientId ? await findClient(scope, clientId) : null
    return { client: client && !client.disabled ? presentClient(client) : null }
  },
}
