import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { oauthErrorKinds } from '../identity-provider.errors.ts'
import { clientErrors } from './clients.errors.ts'

const ownClient = z.object({
  clientId: z.string(),
  name: z.string(),
  icon: z.string().nullable(),
  uri: z.string().nullable(),
  redirectURLs: z.array(z.string()),
  scopes: z.array(z.string()),
  authenticationMethod: z.string(),
  disabled: z.boolean(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

const clientId = z.string().max(512)
const errors = [core.UNAUTHORIZED, clientErrors.CLIENT_NOT_FOUND]

export const clientsContract = {
  listOwnClients: endpoint({
    method: 'GET',
    path: '/oauth2/clients',
    summary: 'The clients that the caller has registered, the newest first',
    access: 'session',
    answer: z.array(ownClient),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  updateOwnClient: endpoint({
    method: 'POST',
    path: '/oauth2/update-client',
    summary: 'Changes name, addresses or state of a client of the caller',
    access: 'own-session',
    body: z.object({
      clientId,
      name: z.string().trim().min(1).max(100).optional(),
      redirectURLs: z.array(z.string().max(2000)).min(1).max(20).optional(),
      disabled: z.boolean().optional(),
    }),
    answer: ownClient,
    errors: [...errors, clientErrors.NOTHING_TO_UPDATE, ...oauthErrorKinds(['invalid_redirect_uri'])],
    budget: { d1: 2 },
    changes: ['oauth-client'],
  }),
  rotateClientSecret: endpoint({
    method: 'POST',
    path: '/oauth2/rotate-client-secret',
    summary: 'A new secret for a client of the caller; the old one ends',
    access: 'own-session',
    body: z.object({ clientId }),
    answer: z.object({ clientId: z.string(), clientSecret: z.string() }),
    errors,
    budget: { d1: 2 },
    changes: ['oauth-client'],
  }),
  deleteOwnClient: endpoint({
    method: 'POST',
    path: '/oauth2/delete-client',
    summary: 'Deletes a client of the caller, with every consent and token that it has',
    access: 'own-session',
    body: z.object({ clientId }),
    answer: statusAnswer,
    errors,
    budget: { d1: 2 },
    changes: ['oauth-client'],
  }),
}
