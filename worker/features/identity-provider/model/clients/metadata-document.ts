import { readCached, writeCached } from '../../../../identity/document-cache.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { sha256 } from '../../../../kit/hash.ts'
import { isLoopbackAddress, isPublicAddress } from '../../../../kit/public-address.ts'
import { minutes } from '../../../../kit/time.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import { readResources } from '../protocol/known-resources.ts'
import type { Client } from './client.ts'
import { type ClientMetadata, clientMetadata } from './client-metadata.ts'
import { metadataRefusal, withSupportedScopes } from './client-metadata-checks.ts'
import { allowFetch, fetchJson } from './fetch-json.ts'
import { isLoopback } from './redirect-uris.ts'

const cacheTime = minutes(10)

/** On by default with MCP. */
export function areDocumentsAllowed(scope: Scope): boolean {
  const { clientIdMetadataDocuments } = identityProviderOptions.of(scope)
  return clientIdMetadataDocuments ?? (scope.options.mcp as { enabled?: boolean } | undefined)?.enabled === true
}

/**
 * Whether a client id is the address of its metadata document (draft-ietf-oauth-client-id-metadata-document, section
 * 3): https with a path, written as the URL parser writes it, without a query or fragment, at a public host or a loopback
 * address. `fetchJson` decides whether to fetch it.
 */
export function isDocumentId(clientId: string): boolean {
  if (!isPublicAddress(clientId) && !isLoopbackAddress(clientId)) return false
  const url = new URL(clientId)
  return url.href === clientId && url.pathname !== '/' && url.search === '' && url.hash === ''
}

/** The client that a metadata document describes; null if the document is invalid or documents are not allowed. */
export async function findByDocument(scope: Scope, clientId: string): Promise<Client | null> {
  if (!isDocumentId(clientId) || !areDocumentsAllowed(scope)) return null
  const key = `client-document:${sha256(clientId)}`
  allowFetch(scope)
  const known = await readCached<ClientMetadata>(scope, key)
  if (known) return present(clientId, known)
  await readResources(scope)
  const given = readDocument(scope, clientId, await fetchJson(scope, clientId, { kind: 'document' }))
  if (!given) return null
  writeCached(scope, key, given, cacheTime)
  return present(clientId, given)
}

/** Defaults of a document. Those of RFC 7591 are for clients with a secret. */
const documentDefaults = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
}

/** Section 4: it contains its own address, uses no shared secret, and is a valid registration. */
function readDocument(scope: Scope, clientId: string, document: unknown): ClientMetadata | null {
  if ((document as { client_id?: unknown } | null)?.client_id !== clientId) return null
  const read = clientMetadata.safeParse({ ...documentDefaults, ...(document as object) })
  if (!read.success) return null
  if (!['none', 'private_key_jwt'].includes(read.data.token_endpoint_auth_method)) return null
  const given = withSupportedScopes(scope, read.data)
  return metadataRefusal(scope, given) ? null : given
}

function present(clientId: string, given: ClientMetadata): Client {
  const { redirect_uris: redirectURLs, token_endpoint_auth_method: authenticationMethod, client_name, ...rest } = given
  return {
    clientId,
    name: client_name || new URL(clientId).host,
    icon: given.logo_uri ?? null,
    redirectURLs,
    authenticationMethod,
    secretHashes: [],
    disabled: false,
    metadata: null,
    resources: [],
    registration: {
      ...rest,
      // A program that listens at a loopback address chooses its port at the start.
      application_type: redirectURLs.some(isLoopback) ? 'native' : 'web',
      // Userinfo does not fetch the document and has to return the same subject.
      subject_type: 'public',
    },
    trusted: false,
    selfRegistered: true,
    userId: null,
    agent: null,
    service: null,
  }
}
