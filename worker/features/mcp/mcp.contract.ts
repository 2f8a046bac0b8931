import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { authorizationQuery, redirectAnswer } from '../identity-provider/authorize/authorize.contract.ts'
import { authorizeErrors } from '../identity-provider/authorize/authorize.errors.ts'
import { commonMetadataShape, idTokenKeysAnswer } from '../identity-provider/discovery/discovery.schema.ts'
import { claimsAnswer } from '../identity-provider/identity-provider.contract.ts'
import { bearerErrors, oauthErrorKinds } from '../identity-provider/identity-provider.errors.ts'
import { registrationAnswer, registrationInput } from '../identity-provider/registration/registration.schema.ts'
import { forClients, tokenAnswer, tokenErrors, tokenForm } from '../identity-provider/token/token.contract.ts'

/** A document that anybody's script may read. It is at the origin as well, where clients look (RFC 8615). */
const wellKnown = {
  method: 'GET',
  access: 'visitor',
  anyOrigin: true,
  errors: [],
  budget: {},
  changes: [],
} as const

/** The errors of a token, as JSON-RPC for the agent. */
const sessionErrors = bearerErrors.map((kind) => ({ ...kind, form: 'json-rpc' as const }))

const resourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  jwks_uri: z.string(),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
})

export const mcpContract = {
  authorizationServerMetadata: endpoint({
    ...wellKnown,
    path: '/.well-known/oauth-authorization-server',
    alsoAt: () => ['/.well-known/oauth-authorization-server'],
    summary: 'What MCP clients have to know of the authorization server (RFC 8414)',
    answer: z.object({
      ...commonMetadataShape,
      client_id_metadata_document_supported: z.boolean(),
      protected_resources: z.array(z.string()),
    }),
  }),
  protectedResourceMetadata: endpoint({
    ...wellKnown,
    path: '/.well-known/oauth-protected-resource',
    alsoAt: () => ['/.well-known/oauth-protected-resource'],
    summary: 'Where tokens for the tool server come from (RFC 9728)',
    answer: resourceMetadata,
  }),
  protectedResourceMetadataByPath: endpoint({
    ...wellKnown,
    errors: [httpErrors.NOT_FOUND],
    path: '/.well-known/oauth-protected-resource/:resource',
    alsoAt: () => ['/.well-known/oauth-protected-resource/:resource'],
    summary: 'The same for a tool server with a path (RFC 9728, section 3.1)',
    params: z.object({ resource: z.string() }),
    answer: resourceMetadata,
  }),
  mcpAuthorize: endpoint({
    method: 'GET',
    path: '/mcp/authorize',
    summary: 'Begins an authorization of an MCP client',
    access: 'visitor',
    query: authorizationQuery,
    answer: redirectAnswer,
    redirects: true,
    shows: 'page',
    errors: [authorizeErrors.INVALID_REDIRECT_URI, authorizeErrors.NO_CONSENT_PAGE_PROVIDED],
    budget: { d1: 2, durable: 2 },
    changes: ['verification'],
  }),
  mcpToken: endpoint({
    method: 'POST',
    path: '/mcp/token',
    summary: 'A code or a refresh token for tokens',
    ...forClients,
    raw: { form: tokenForm },
    answer: tokenAnswer,
    errors: tokenErrors,
    budget: { d1: 3, durable: 3 },
    changes: ['verification'],
  }),
  mcpRegister: endpoint({
    method: 'POST',
    path: '/mcp/register',
    summary: 'Registers an MCP client; nobody needs to be signed in (RFC 7591)',
    ...forClients,
    raw: { json: registrationInput },
    answer: registrationAnswer,
    status: 201,
    errors: oauthErrorKinds(['invalid_request', 'invalid_redirect_uri', 'invalid_client_metadata']),
    limit: { max: 10, window: 60 },
    budget: { d1: 1, durable: 1 },
    changes: ['oauth-client'],
  }),
  mcpGetSession: endpoint({
    method: 'GET',
    path: '/mcp/get-session',
    summary: 'What a tool server has to know of the access token that came to it',
    access: 'visitor',
    anyOrigin: true,
    query: z.object({
      /** The tool server that asks; a token for another one is refused. */
      resource: z.string().max(2000).optional(),
      /** Scopes that the call needs, joined by spaces. */
      scope: z.string().max(1000).optional(),
    }),
    answer: z.object({
      accessToken: z.string(),
      refreshToken: z.string().nullable(),
      accessTokenExpiresAt: z.date(),
      refreshTokenExpiresAt: z.date().nullable(),
      clientId: z.string(),
      userId: z.string(),
      scopes: z.string(),
      resource: z.string().nullable(),
      createdAt: z.date(),
      updatedAt: z.date(),
      id: z.string(),
    }),
    errors: sessionErrors,
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
  mcpUserinfo: endpoint({
    method: 'GET',
    path: '/mcp/userinfo',
    summary: 'Claims of the person behind an access token',
    access: 'visitor',
    anyOrigin: true,
    answer: claimsAnswer,
    errors: bearerErrors,
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
  mcpJwks: endpoint({
    method: 'GET',
    path: '/mcp/jwks',
    summary: 'The keys that sign id tokens (RFC 7517)',
    access: 'visitor',
    anyOrigin: true,
    answer: idTokenKeysAnswer,
    errors: [],
    budget: { d1: 2 },
    changes: [],
  }),
}
