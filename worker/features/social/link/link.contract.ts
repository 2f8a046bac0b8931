import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { urlInput } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { scopesInput, startedAuthorization } from '../model/authorization-input.ts'
import { socialErrors as errors } from '../model/social.errors.ts'

export const linkContract = {
  linkSocial: post('/link-social', {
    summary: 'Starts linking a provider account to the user',
    access: 'recent-authentication',
    accessRules: { addsWayIn: true },
    input: {
      body: z.object({
        provider: z.string().max(64),
        callbackURL: urlInput.optional(),
        errorCallbackURL: urlInput.optional(),
        scopes: scopesInput.optional(),
      }),
    },
    answer: startedAuthorization,
    errors: [core.UNAUTHORIZED, errors.PROVIDER_NOT_FOUND, errors.UNABLE_TO_CREATE_VERIFICATION],
    // The second round trip reads the methods of a step-up for the error.
    budget: { d1: 2, durable: 1 },
    changes: ['verification'],
  }),
}
