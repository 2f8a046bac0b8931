import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { connectionErrors } from './connections.errors.ts'

export const connectionsContract = {
  listConnections: endpoint({
    method: 'GET',
    path: '/oauth2/connections',
    summary: 'The applications that the person has allowed something, the newest first',
    access: 'session',
    answer: z.array(
      z.object({
        clientId: z.string(),
        name: z.string(),
        icon: z.string().nullable(),
        scopes: z.array(z.string()),
        createdAt: z.date(),
        lastUsedAt: z.date().nullable(),
      }),
    ),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  deleteConnection: endpoint({
    method: 'POST',
    path: '/oauth2/delete-connection',
    summary: 'Withdraws what an application was allowed; its tokens end',
    access: 'own-session',
    body: z.object({ clientId: z.string().max(512) }),
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, connectionErrors.CONNECTION_NOT_FOUND],
    budget: { d1: 2 },
    changes: ['oauth-consent', 'verification'],
  }),
}
