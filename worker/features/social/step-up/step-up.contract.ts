import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { stepUpErrors } from '../../../identity/sign-in/step-up.errors.ts'
import { urlInput } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { startedAuthorization, startLimit } from '../model/authorization-input.ts'
import { socialErrors as errors } from '../model/social.errors.ts'

export const socialStepUpContract = {
  stepUpByProvider: post('/step-up/provider', {
    summary: 'Starts a step-up at a linked provider of the caller',
    access: 'own-session',
    input: {
      body: z.object({
        provider: z.string().max(256),
        callbackURL: urlInput,
        errorCallbackURL: urlInput.optional(),
      }),
    },
    answer: startedAuthorization,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      stepUpErrors.STEP_UP_METHOD_NOT_AVAILABLE,
      errors.UNABLE_TO_CREATE_VERIFICATION,
    ],
    limits: { rate: startLimit },
    budget: { d1: 2, kv: 1, durable: 2, outside: 1 },
    changes: ['verification'],
  }),
}
