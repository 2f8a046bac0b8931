import type { Handlers } from '../../../http/routes.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { presentClient } from '../model/clients/client.ts'
import { findClient } from '../model/clients/find-client.ts'
import type { consentContract } from './consent.contract.ts'
import { answerConsent, readConsent } from './consent.ts'

export const consentHandlers: Handlers<typeof consentContract> = {
  readConsent: ({ scope, caller, query }) => readConsent(scope, caller, query.consent_code),
  consent: async ({ scope, caller, body }) => ({ redirectURI: await answerConsent(scope, caller, body) }),
  clientInfo: async ({ scope, params }) => {
    const client = await findClient(scope, params.id)
    if (!client) throw oauthError('not_found', 'client not found')
    return presentClient(client)
  },
}
