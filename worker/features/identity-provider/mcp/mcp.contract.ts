import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { authorizing } from '../authorize/authorize.contract.ts'
import { commonMetadataShape, idTokenKeysAnswer } from '../discovery/discovery.contract.ts'
import { bearerErrors, oauthErrorKinds } from '../identity-provider.errors.ts'
import { clientMetadata } from '../model/clients/client-metadata.ts'
import { forClients } from '../model/protocol/protocol.contract.ts'
import { registrationAnswer } from '../registration/registration.contract.ts'
import { tokenAnswer, tokenErrors, tokenForm } from '../token/token.contract.ts'
import { claimsAnswer } from '../userinfo/userinfo.contract.ts'

/** A document that scripts of any site may read. It is at the origin as well, where clients request it (RFC 8615). */
const wellKnown = {
  access: 'visitor',
  origins: { any: true },
  errors: [],
  budget: {},
  changes: [],
} as const

/** The errors of a token, as JSON-RPC for the agent. */
const sessionErrors = [...bearerErrors, ...oauthErrorKinds(['insufficient_user_authentication'])].map((kind) => ({
  ...kind,
  form: 'json-rpc' as const,
}))

const resourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: listOf(z.string()),
  jwks_uri: z.string(),
  scopes_supported: listOf(z.string()),
  bearer_methods_supported: listOf(z.string()),
  resource_name: z.string(),
})

export const mcpContract = {
  authorizationServerMetadata: get('/.well-known/oauth-authorization-server', {
    ...wellKnown,
    at: { also: ['/.well-known/oauth-authorization-server'] },
    summary: 'Returns the metadata of the authorization server for MCP clients (RFC 8414)',
    answer: z.object({
      ...commonMetadataShape,
      client_id_metadata_document_supported: z.boolean(),
      protected_resources: listOf(z.string()),
    }),
  }),
  protectedResourceMetadata: get('/.well-known/oauth-protected-resource', {
    ...wellKnown,
    at: { also: ['/.well-known/oauth-protected-resource'] },
    summary: 'Returns the protected resource metadata of the tool server (RFC 9728)',
    answer: resourceMetadata,
  }),
  protectedResourceMetadataByPath: get('/.well-known/oauth-protected-resource/:resource', {
    ...wellKnown,
    errors: [httpErrors.NOT_FOUND],
    at: { also: ['/.well-known/oauth-protected-resource/:resource'] },
    summary: 'Returns the protected resource metadata of a tool server with a path (RFC 9728, section 3.1)',
    input: { params: z.object({ resource: z.string().max(2000) }) },
    answer: resourceMetadata,
  }),
  mcpAuthorize: get('/mcp/authorize', {
    summary: 'Starts an authorization of an MCP client',
    ...authorizing,
  }),
  mcpToken: post('/mcp/token', {
    summary: 'Exchanges a code or a refresh token for tokens',
    ...forClients,
    input: { raw: { form: tokenForm } },
    answer: tokenAnswer,
    errors: tokenErrors,
    budget: { d1: 3, durable: 3 },
    changes: ['verification'],
  }),
  mcpRegister: post('/mcp/register', {
    summary: 'Registers an MCP client without a session (RFC 7591)',
    ...forClients,
    input: { raw: { json: clientMetadata } },
    answer: registrationAnswer,
    status: 201,
    errors: [
      ...oauthErrorKinds(['invalid_request', 'invalid_redirect_uri', 'invalid_client_metadata']),
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { rate: { max: 10, window: 60 } },
    budget: { d1: 1, durable: 2 },
    changes: ['oauth-client'],
    audit: 'mcp.register',
  }),
  mcpGetSession: get('/mcp/get-session', {
    summary: 'Returns the data of an access token to the tool server that received it',
    access: 'visitor',
    origins: { any: true },
    input: {
      query: z.object({
        /** The calling tool server. A token for another one is rejected. */
        resource: z.string().max(2000).optional(),
        /** The required scopes of the call, joined by spaces. */
        scope: z.string().max(1000).optional(),
        /** The accepted authentication classes of the call, joined by spaces (RFC 9470). */
        acr_values: z.string().max(1000).optional(),
        /** The maximum age of the authentication, in seconds. */
        max_age: z.coerce.number<number | string>().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
      }),
    },
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
  mcpUserinfo: get('/mcp/userinfo', {
    summary: 'Returns claims about the user of an access token',
    access: 'visitor',
    origins: { any: true },
    answer: claimsAnswer,
    errors: bearerErrors,
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
  mcpJwks: get('/mcp/jwks', {
    summary: 'Returns the public keys that verify id tokens (RFC 7517)',
    access: 'visitor',
    origins: { any: true },
    answer: idTokenKeysAnswer,
    errors: [],
    budget: { d1: 2 },
    changes: [],
  }),
}
