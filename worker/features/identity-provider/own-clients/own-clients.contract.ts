import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { nameInput } from '../../../kit/inputs.ts'
import { listOf, pageQuery } from '../../../kit/page.ts'
import { identityProviderErrors, oauthErrorKinds } from '../identity-provider.errors.ts'

const ownClient = z.object({
  clientId: z.string(),
  name: z.string(),
  icon: z.string().nullable(),
  uri: z.string().nullable(),
  redirectURLs: listOf(z.string()),
  scopes: listOf(z.string()),
  authenticationMethod: z.string(),
  disabled: z.boolean(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

const clientId = z.string().max(512)
const errors = [core.UNAUTHORIZED, identityProviderErrors.CLIENT_NOT_FOUND]

export const ownClientsContract = {
  listOwnClients: get('/oauth2/clients', {
    summary: 'Lists the clients that the caller has registered, newest first',
    access: 'session',
    input: { query: z.object(pageQuery) },
    answer: listOf(ownClient),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 1100 },
    changes: [],
  }),
  updateOwnClient: post('/oauth2/update-client', {
    summary: 'Updates the name, redirect URIs or state of a client of the caller',
    access: 'own-session',
    // The redirect URIs decide who receives the codes of users.
    accessRules: { recentFor: ({ given }) => given.redirectURLs !== undefined || given.disabled !== undefined },
    input: {
      body: z.object({
        clientId,
        name: nameInput.min(1).max(100).optional(),
        redirectURLs: z.array(z.string().max(2000)).min(1).max(20).optional(),
        disabled: z.boolean().optional(),
      }),
    },
    answer: ownClient,
    errors: [
      ...errors,
      identityProviderErrors.NOTHING_TO_UPDATE,
      ...oauthErrorKinds(['invalid_redirect_uri', 'invalid_client_metadata']),
    ],
    budget: { d1: 3 },
    changes: ['oauth-client'],
    audit: 'oauth2.update-client',
    limits: { creates: false },
  }),
  rotateClientSecret: post('/oauth2/rotate-client-secret', {
    summary: 'Replaces the secret of a client of the caller; the old secret stops working',
    access: 'recent-authentication',
    input: { body: z.object({ clientId }) },
    answer: z.object({ clientId: z.string(), clientSecret: z.string() }),
    errors,
    budget: { d1: 3 },
    changes: ['oauth-client'],
    audit: 'oauth2.rotate-client-secret',
    limits: { whenFull: 'secures', creates: false },
  }),
  deleteOwnClient: post('/oauth2/delete-client', {
    summary: 'Deletes a client of the caller with its consents and tokens',
    access: 'recent-authentication',
    input: { body: z.object({ clientId }) },
    answer: statusAnswer,
    errors,
    budget: { d1: 3 },
    changes: ['oauth-client'],
    audit: 'oauth2.delete-client',
    limits: { creates: 'ends' },
  }),
}
