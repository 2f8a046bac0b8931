import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { authorizationQuery, authorizeContract } from './authorize/authorize.contract.ts'
import { clientsContract } from './clients/clients.contract.ts'
import { connectionsContract } from './connections/connections.contract.ts'
import { consentContract } from './consent/consent.contract.ts'
import { deviceContract } from './device/device.contract.ts'
import { discoveryAnswer } from './discovery/discovery.schema.ts'
import { bearerErrors, forClientErrors, oauthErrorKinds } from './identity-provider.errors.ts'
import { logoutContract } from './logout/logout.contract.ts'
import { registrationAnswer, registrationInput } from './registration/registration.schema.ts'
import { clientCredentials, forClients, tokenContract } from './token/token.contract.ts'

/** Claims by scope; what is unknown is left out. */
export const claimsAnswer = z.object({
  sub: z.string(),
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  picture: z.string().optional(),
  preferred_username: z.string().optional(),
  updated_at: z.number().optional(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
})

/** What the checks of an authorization request refuse (authorize/checks.ts), where no browser carries it to the client. */
const requestErrors = oauthErrorKinds([
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'invalid_target',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
])

const shownClient = z.object({ clientId: z.string(), name: z.string(), icon: z.string().nullable() })

const tokenForm = z.object({ token: z.string(), token_type_hint: z.string().optional(), ...clientCredentials })

const userinfo = {
  path: '/oauth2/userinfo',
  summary: 'Claims of the person behind an access token (OpenID Connect Core, section 5.3)',
  access: 'visitor',
  anyOrigin: true,
  answer: claimsAnswer,
  errors: bearerErrors,
  budget: { d1: 1, durable: 1 },
  changes: [],
} as const

export const identityProviderContract = {
  openidConfiguration: endpoint({
    method: 'GET',
    path: '/.well-known/openid-configuration',
    summary: 'What the provider can do, and where (OpenID Connect Discovery)',
    access: 'visitor',
    // Where clients look (RFC 8615).
    alsoAt: () => ['/.well-known/openid-configuration'],
    anyOrigin: true,
    answer: discoveryAnswer,
    errors: [],
    budget: {},
    changes: [],
  }),
  ...authorizeContract,
  ...consentContract,
  ...tokenContract,
  userinfo: endpoint({ method: 'GET', ...userinfo }),
  userinfoByPost: endpoint({ method: 'POST', ...userinfo, foreignPosts: true }),
  registerClient: endpoint({
    method: 'POST',
    path: '/oauth2/register',
    summary: 'Registers a client (RFC 7591)',
    access: 'visitor',
    raw: { json: registrationInput },
    answer: registrationAnswer,
    status: 201,
    errors: oauthErrorKinds(['invalid_request', 'invalid_redirect_uri', 'invalid_client_metadata', 'invalid_token']),
    budget: { d1: 2, durable: 1 },
    limit: { max: 10, window: 60 },
    changes: ['oauth-client'],
  }),
  clientInfo: endpoint({
    method: 'GET',
    path: '/oauth2/client/:id',
    summary: 'What people are shown of a client',
    access: 'session',
    params: z.object({ id: z.string().max(512) }),
    answer: shownClient,
    errors: [core.UNAUTHORIZED, ...oauthErrorKinds(['not_found'])],
    budget: { d1: 2 },
    changes: [],
  }),
  loginPrompt: endpoint({
    method: 'GET',
    path: '/oauth2/login-prompt',
    summary: 'Which client waits in this browser for somebody to sign in, for the sign-in page',
    access: 'visitor',
    answer: z.object({ client: shownClient.nullable() }),
    errors: [],
    budget: { d1: 1 },
    changes: [],
  }),
  introspect: endpoint({
    method: 'POST',
    path: '/oauth2/introspect',
    summary: 'Whether a token of the client is good, and for what (RFC 7662)',
    ...forClients,
    raw: { form: tokenForm },
    answer: z.object({
      active: z.boolean(),
      scope: z.string().optional(),
      client_id: z.string().optional(),
      username: z.string().optional(),
      token_type: z.string().optional(),
      exp: z.number().optional(),
      iat: z.number().optional(),
      sub: z.string().optional(),
      aud: z.string().optional(),
      iss: z.string().optional(),
      cnf: z.object({ jkt: z.string() }).optional(),
    }),
    errors: forClientErrors,
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
  revokeToken: endpoint({
    method: 'POST',
    path: '/oauth2/revoke',
    summary: 'Ends a token of the client (RFC 7009)',
    ...forClients,
    raw: { form: tokenForm },
    answer: z.object({}),
    errors: forClientErrors,
    budget: { d1: 2, durable: 1 },
    changes: ['verification'],
  }),
  pushAuthorizationRequest: endpoint({
    method: 'POST',
    path: '/oauth2/par',
    summary: 'Takes an authorization request from its client beforehand (RFC 9126)',
    ...forClients,
    raw: { form: z.object({ ...authorizationQuery.shape, ...clientCredentials }) },
    answer: z.object({ request_uri: z.string(), expires_in: z.number() }),
    status: 201,
    errors: [...forClientErrors, ...requestErrors],
    budget: { d1: 1, durable: 3 },
    changes: ['verification'],
  }),
  ...deviceContract,
  ...logoutContract,
  ...clientsContract,
  ...connectionsContract,
}
