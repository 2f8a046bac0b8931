import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { forClientErrors, identityProviderErrors, oauthErrorKinds } from '../identity-provider.errors.ts'
import { clientCredentials, detailSentences, forClients, shownClient } from '../model/protocol/protocol.contract.ts'

const userCode = z.string().min(1).max(32)
const errors = [core.UNAUTHORIZED, identityProviderErrors.INVALID_USER_CODE, guessErrors.TOO_MANY_REQUESTS]

const start = {
  ...forClients,
  input: {
    raw: {
      form: z.object({
        scope: z.string().optional(),
        resource: z.string().optional(),
        authorization_details: z.string().optional(),
        ...clientCredentials,
      }),
    },
  },
  answer: z.object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.number(),
    interval: z.number(),
  }),
  errors: [
    ...forClientErrors,
    ...oauthErrorKinds(['unauthorized_client', 'invalid_scope', 'invalid_target', 'invalid_authorization_details']),
  ],
  budget: { d1: 1, durable: 3 },
  changes: ['verification'],
} as const

const answerOfPlugin = {
  access: 'own-session',
  input: { body: z.object({ userCode }) },
  answer: z.object({ success: z.literal(true) }),
  errors,
  budget: { d1: 1, durable: 3 },
  changes: ['verification'],
} as const

export const deviceContract = {
  authorizeDevice: post('/oauth2/device_authorization', {
    summary: 'Returns a user code and a device code for a device without a browser (RFC 8628)',
    ...start,
  }),
  // The paths of the published client's device-authorization plug-in.
  deviceCode: post('/device/code', {
    summary: 'Returns a user code and a device code, like POST /oauth2/device_authorization',
    ...start,
  }),
  deviceStatus: get('/device', {
    summary: 'Returns the request of the device that shows a user code',
    access: 'own-session',
    input: { query: z.object({ user_code: userCode }) },
    answer: z.object({
      user_code: z.string(),
      status: z.literal('pending'),
      client_id: z.string(),
      /** Joined by spaces. */
      scope: z.string(),
    }),
    errors,
    budget: { d1: 1, durable: 2 },
    changes: [],
  }),
  approveDevice: post('/device/approve', { summary: 'Approves a device', ...answerOfPlugin }),
  denyDevice: post('/device/deny', { summary: 'Denies a device', ...answerOfPlugin }),
  readDevice: post('/oauth2/device/read', {
    summary: 'Returns the device that shows a user code, its requested scopes and the sender of its request',
    access: 'own-session',
    input: { body: z.object({ user_code: userCode }) },
    answer: z.object({
      client: shownClient,
      scopes: listOf(z.string()),
      /** The configured words of the scopes of resource servers. */
      scopeWords: z.record(z.string(), z.string()),
      authorizationDetails: detailSentences,
      origin: z.object({
        ipAddress: z.string().nullable(),
        place: z.object({ city: z.string().nullable(), country: z.string().nullable() }),
      }),
    }),
    errors,
    budget: { d1: 1, durable: 2 },
    changes: [],
  }),
  answerDevice: post('/oauth2/device/answer', {
    summary: 'Approves or denies a device',
    access: 'own-session',
    input: { body: z.object({ user_code: userCode, accept: z.boolean() }) },
    answer: statusAnswer,
    errors,
    budget: { d1: 1, durable: 3 },
    changes: ['verification'],
  }),
}
