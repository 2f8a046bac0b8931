import type { FeatureCases } from '../../testing/cases.ts'
import type { TestApp } from '../../testing/harness.ts'
import { insertion } from '../../testing/insertion.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  callback,
  codeOf,
  exchange,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../testing/oauth.ts'
import { type Person, signUp } from '../../testing/people.ts'
import { acquaintance, known } from '../../testing/set-ups.ts'
import { answered, signedUp } from '../../testing/ways.ts'
import { oauthApplications } from './model/clients/clients.table.ts'
import { oauthConsents } from './model/grants/grants.table.ts'

/** A user and their OAuth client. */
async function withClient(app: TestApp, person: Person) {
  const { device } = await acquaintance(app, person)
  return { device, given: await registerClient(device) }
}

const asClient = ({ client_id, client_secret }: RegisteredClient) => ({ client_id, client_secret })

/** A server sends requests without an Origin. */
const fromServer = { origin: '' }

export const cases: FeatureCases = {
  faults: {
    'an authorization that hints at a user': {
      endpoint: 'GET /oauth2/authorize',
      before: async (app, person) => {
        const device = await signUp(app, person)
        const client = await registerClient(device)
        const code = codeOf(await agree(device, authorizationRequest(client)))
        const { body } = await exchange(app, client, code)
        return { device, given: authorizationRequest(client, { id_token_hint: body.id_token, prompt: 'none' }) }
      },
    },
    'a pushed request with consent': {
      endpoint: 'GET /oauth2/authorize',
      before: async (app, person) => {
        const { device, given } = await withClient(app, person)
        await agree(device, authorizationRequest(given))
        const { body } = await postForm(app, '/oauth2/par', { ...authorizationRequest(given), ...asClient(given) })
        return { device, given: { client_id: given.client_id, request_uri: body.request_uri } }
      },
      afterwards: ['invalid_request_uri'],
    },
    consent: {
      endpoint: 'POST /oauth2/consent',
      before: async (app, person) => {
        const device = await signUp(app, person)
        await authorize(device, authorizationRequest(await registerClient(device)))
        return { device }
      },
      input: () => ({ accept: true }),
      afterwards: ['invalid_request'],
    },
    'a client registers': {
      endpoint: 'POST /oauth2/register',
      before: known,
      input: () => ({ redirect_uris: [callback], client_name: 'Client' }),
    },
    'a client is changed': {
      endpoint: 'POST /oauth2/update-client',
      before: withClient,
      input: ({ client_id: clientId }: RegisteredClient) => ({ clientId, name: 'Renamed' }),
    },
    'a client gets another secret': {
      endpoint: 'POST /oauth2/rotate-client-secret',
      before: withClient,
      input: ({ client_id: clientId }: RegisteredClient) => ({ clientId }),
    },
    'a client is deleted': {
      endpoint: 'POST /oauth2/delete-client',
      before: withClient,
      input: ({ client_id: clientId }: RegisteredClient) => ({ clientId }),
      afterwards: ['CLIENT_NOT_FOUND'],
    },
    'a connection ends': {
      endpoint: 'POST /oauth2/delete-connection',
      before: async (app, person) => {
        const { device, given } = await withClient(app, person)
        await agree(device, authorizationRequest(given))
        return { device, given: given.client_id }
      },
      input: (clientId) => ({ clientId }),
      afterwards: ['CONNECTION_NOT_FOUND'],
    },
    'tokens for a code': {
      endpoint: 'POST /oauth2/token',
      before: async (app, person) => {
        const { device, given } = await withClient(app, person)
        const code = codeOf(await agree(device, authorizationRequest(given)))
        return { device: app.device(), given: { ...asClient(given), grant_type: 'authorization_code', code } }
      },
      input: (form: object) => ({ ...form, redirect_uri: callback }),
      headers: fromServer,
      afterwards: ['invalid_grant'],
    },
    'a token is revoked': {
      endpoint: 'POST /oauth2/revoke',
      before: async (app, person) => {
        const { device, given } = await withClient(app, person)
        const { body } = await exchange(app, given, codeOf(await agree(device, authorizationRequest(given))))
        return { device: app.device(), given: { ...asClient(given), token: body.access_token } }
      },
      headers: fromServer,
    },
    'a request that is pushed': {
      endpoint: 'POST /oauth2/par',
      before: async (app, person) => {
        const { given } = await withClient(app, person)
        return { device: app.device(), given: { ...authorizationRequest(given), ...asClient(given) } }
      },
      headers: fromServer,
    },
    'an application signs its person out': {
      endpoint: 'GET /oauth2/end-session',
      before: async (app, person) => {
        const { device, given } = await withClient(app, person)
        const { body } = await exchange(app, given, codeOf(await agree(device, authorizationRequest(given))))
        return { device, given: { id_token_hint: body.id_token } }
      },
    },
  },
  withoutFaults: {
    'one record, which is put again': ['POST /oauth2/device_authorization'],
    'testing/faults.test.ts: an outage': ['POST /oauth2/device/answer'],
    'the use cases of /oauth2 by the paths of the published plug-in': [
      'POST /device/code',
      'POST /device/token',
      'POST /device/approve',
      'POST /device/deny',
    ],
  },
  growth: {
    clients: {
      list: '/oauth2/clients',
      rows: (userId, n) => [
        insertion(oauthApplications, {
          id: `c${n}`,
          clientId: `c${n}`,
          name: 'C',
          redirectURLs: [],
          type: 'web',
          authenticationScheme: 'none',
          userId,
          registration: { grant_types: [], response_types: [] },
          createdAt: new Date(n),
          updatedAt: new Date(n),
        }),
      ],
      cap: {
        max: 25,
        path: '/oauth2/register',
        body: () => ({ redirect_uris: [callback] }),
        success: 201,
        refusal: 'access_denied',
      },
    },
    connections: {
      list: '/oauth2/connections',
      rows: (userId, n) => [
        insertion(oauthConsents, {
          id: `x${n}`,
          clientId: `c${n}`,
          userId,
          scopes: 'openid',
          consentGiven: true,
          clientName: 'C',
          createdAt: new Date(n),
          updatedAt: new Date(n),
        }),
      ],
    },
  },
  securityEvents: {
    'an OAuth client is created and gets another secret': {
      act: signedUp(async (device) => {
        const { client_id: clientId } = await registerClient(device)
        await answered(device.post('/oauth2/rotate-client-secret', { clientId }))
      }),
      events: ['oauth-client-created', 'client-secret-rotated'],
    },
    'an OAuth client gets other redirect URIs, is disabled and is deleted': {
      act: signedUp(async (device) => {
        const { client_id: clientId } = await registerClient(device)
        const redirectURLs = ['https://other.example.com/callback']
        await answered(device.post('/oauth2/update-client', { clientId, redirectURLs }))
        // A request with the same values changes nothing.
        await answered(device.post('/oauth2/update-client', { clientId, redirectURLs }))
        await answered(device.post('/oauth2/update-client', { clientId, name: 'Renamed' }))
        await answered(device.post('/oauth2/update-client', { clientId, disabled: true }))
        await answered(device.post('/oauth2/delete-client', { clientId }))
      }),
      events: ['oauth-client-created', 'oauth-client-changed', 'oauth-client-changed', 'oauth-client-deleted'],
    },
  },
}
