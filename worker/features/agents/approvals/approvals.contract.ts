import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf, pageQuery } from '../../../kit/page.ts'
import { seconds } from '../../../kit/time.ts'
import {
  identityProviderErrors as errors,
  forClientErrors,
  oauthErrorKinds,
} from '../../identity-provider/identity-provider.errors.ts'
import {
  clientCredentials,
  detailSentences,
  forClients,
} from '../../identity-provider/model/protocol/protocol.contract.ts'

const id = z.string().min(1).max(64)

export const approvalsContract = {
  requestApproval: post('/oauth2/bc-authorize', {
    summary:
      'Asks a user who is elsewhere for an approval (OpenID Connect Client-Initiated Backchannel Authentication, section 7)',
    ...forClients,
    input: {
      raw: {
        form: z.object({
          scope: z.string().optional(),
          login_hint: z.string().optional(),
          id_token_hint: z.string().optional(),
          login_hint_token: z.string().optional(),
          binding_message: z.string().optional(),
          requested_expiry: z.string().optional(),
          acr_values: z.string().optional(),
          client_notification_token: z.string().optional(),
          resource: z.string().optional(),
          authorization_details: z.string().optional(),
          request: z.string().optional(),
          ...clientCredentials,
        }),
      },
    },
    answer: z.object({ auth_req_id: z.string(), expires_in: z.number(), interval: z.number() }),
    errors: [
      ...forClientErrors,
      ...oauthErrorKinds([
        'unauthorized_client',
        'invalid_scope',
        'invalid_target',
        'invalid_authorization_details',
        'invalid_binding_message',
        'invalid_request_object',
      ]),
      ...oauthErrorKinds(['slow_down'], 429),
    ],
    limits: { whenFull: 'signs-in', rate: { max: 300, window: seconds(60) } },
    // The client, the keys of an `id_token_hint`, and the batch.
    budget: { d1: 3, durable: 2 },
    changes: ['approval'],
    audit: 'oauth2.bc-authorize',
  }),
  listApprovals: get('/approvals/list', {
    summary: 'Lists the requests for an approval of the caller, newest first',
    access: 'session',
    input: { query: z.object({ clientId: z.string().max(512).optional(), ...pageQuery }) },
    answer: listOf(
      z.object({
        id: z.string(),
        client: z.object({ clientId: z.string(), name: z.string() }),
        scopes: listOf(z.string()),
        /** The configured words of the scopes of resource servers. */
        scopeWords: z.record(z.string(), z.string()),
        authorizationDetails: detailSentences,
        /** Joined by spaces. */
        resource: z.string().nullable(),
        bindingMessage: z.string().nullable(),
        /** The sender of the request. */
        origin: z.object({
          ipAddress: z.string().nullable(),
          place: z.object({ city: z.string().nullable(), country: z.string().nullable() }),
        }),
        /** `used`: the client has received the tokens. */
        state: z.enum(['pending', 'approved', 'denied', 'used', 'expired']),
        createdAt: z.date(),
        expiresAt: z.date(),
        answeredAt: z.date().nullable(),
      }),
    ),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 600 },
    changes: [],
  }),
  approve: post('/approvals/approve', {
    summary: 'Approves a request: its client receives tokens, once',
    access: 'recent-authentication',
    input: { body: z.object({ id }) },
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, errors.APPROVAL_NOT_FOUND, errors.APPROVAL_NEEDS_SECOND_FACTOR],
    limits: { rate: { max: 30, window: seconds(60) } },
    budget: { d1: 3, durable: 1 },
    changes: ['approval'],
    audit: 'approvals.approve',
  }),
  deny: post('/approvals/deny', {
    summary: 'Denies a request',
    access: 'own-session',
    input: { body: z.object({ id }) },
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, errors.APPROVAL_NOT_FOUND],
    limits: { whenFull: 'secures', rate: { max: 30, window: seconds(60) } },
    budget: { d1: 3, durable: 1 },
    changes: ['approval'],
    audit: 'approvals.deny',
  }),
}
