import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf, pageQuery } from '../../../kit/page.ts'
import { identityProviderErrors } from '../identity-provider.errors.ts'

export const connectionsContract = {
  listConnections: get('/oauth2/connections', {
    summary: 'Lists the applications with a consent of the user, newest first',
    access: 'session',
    input: { query: z.object(pageQuery) },
    answer: listOf(
      z.object({
        clientId: z.string(),
        name: z.string(),
        icon: z.string().nullable(),
        scopes: listOf(z.string()),
        createdAt: z.date(),
        lastUsedAt: z.date().nullable(),
      }),
    ),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 1600 },
    changes: [],
    reads: { replica: true },
  }),
  deleteConnection: post('/oauth2/delete-connection', {
    summary: 'Revokes the consent and the tokens of an application',
    access: 'own-session',
    input: { body: z.object({ clientId: z.string().max(512) }) },
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, identityProviderErrors.CONNECTION_NOT_FOUND],
    budget: { d1: 2 },
    changes: ['oauth-consent', 'verification'],
    audit: 'oauth2.delete-connection',
    limits: { creates: 'ends' },
  }),
}
