import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { forClientErrors, oauthErrorKinds } from '../identity-provider.errors.ts'
import { clientCredentials, forClients } from '../token/token.contract.ts'
import { deviceErrors } from './device.errors.ts'

const userCode = z.string().min(1).max(32)
const errors = [core.UNAUTHORIZED, deviceErrors.INVALID_USER_CODE, deviceErrors.TOO_MANY_REQUESTS]

export const deviceContract = {
  authorizeDevice: endpoint({
    method: 'POST',
    path: '/oauth2/device_authorization',
    summary: 'A code for a device without a browser, to be entered on another screen (RFC 8628)',
    ...forClients,
    raw: { form: z.object({ scope: z.string().optional(), ...clientCredentials }) },
    answer: z.object({
      device_code: z.string(),
      user_code: z.string(),
      verification_uri: z.string(),
      verification_uri_complete: z.string(),
      expires_in: z.number(),
      interval: z.number(),
    }),
    errors: [...forClientErrors, ...oauthErrorKinds(['unauthorized_client', 'invalid_scope'])],
    budget: { d1: 1, durable: 3 },
    changes: ['verification'],
  }),
  readDevice: endpoint({
    method: 'POST',
    path: '/oauth2/device/read',
    summary: 'Which device shows a code, and what it asks for',
    access: 'own-session',
    body: z.object({ user_code: userCode }),
    answer: z.object({
      client: z.object({ clientId: z.string(), name: z.string(), icon: z.string().nullable() }),
      scopes: z.array(z.string()),
    }),
    errors,
    budget: { d1: 1, durable: 2 },
    changes: [],
  }),
  answerDevice: endpoint({
    method: 'POST',
    path: '/oauth2/device/answer',
    summary: 'The person lets a device in, or does not',
    access: 'own-session',
    body: z.object({ user_code: userCode, accept: z.boolean() }),
    answer: statusAnswer,
    errors,
    budget: { d1: 1, durable: 3 },
    changes: ['verification'],
  }),
}
