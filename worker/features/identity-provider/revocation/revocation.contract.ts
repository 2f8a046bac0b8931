import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { forClientErrors } from '../identity-provider.errors.ts'
import { forClients, tokenInput } from '../model/protocol/protocol.contract.ts'

export const revocationContract = {
  revokeToken: post('/oauth2/revoke', {
    summary: 'Revokes a token of the client (RFC 7009)',
    ...forClients,
    input: { raw: { form: tokenInput } },
    answer: z.object({}),
    errors: forClientErrors,
    // A JWT: the keys, in a new isolate.
    budget: { d1: 3, durable: 1 },
    changes: ['verification'],
  }),
}
