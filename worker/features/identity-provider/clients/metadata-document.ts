import { readCached } from '../../../identity/read-cached.ts'
import type { Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { isPublicAddress } from '../../../kit/public-address.ts'
import { minutes } from '../../../kit/time.ts'
import { identityProviderOptions, supportedScopes } from '../identity-provider.config.ts'
import { allowFetch, fetchJson } from '../outside.ts'
import { registrationChecks } from '../registration/checks.ts'
import { type Registration, registrationInput } from '../registration/registration.schema.ts'
import type { Client } from './client.ts'
import { isLoopback } from './redirect-uris.ts'

/** Fetches that one address of a stranger may cause. */
const rule = { max: 20, window: minutes(1) }
const remembered = minutes(10)

/** They are on with MCP, unless the configuration says otherwise. */
function areAllowed(scope: Scope): boolean {
  const { clientIdMetadataDocuments } = identityProviderOptions.of(scope)
  return clientIdMetadataDocuments ?? (scope.options.mcp as { enabled?: boolean } | undefined)?.enabled === true
}

/**
 * Whether a client id is the address of its metadata document (draft-ietf-oauth-client-id-metadata-document, section
 * 3): https with a path, written as the URL parser writes it, without a query or fragment, at a public host.
 */
export function isDocumentId(clientId: string): boolean {
  if (!isPublicAddress(clientId)) return false
  const url = new URL(clientId)
  return url.href === clientId && url.pathname !== '/' && url.search === '' && url.hash === ''
}

/** A client that has registered nowhere, and describes itself at its own address. Null when it does not, or is not allowed. */
export async function findByDocument(scope: Scope, clientId: string): Promise<Client | null> {
  if (!isDocumentId(clientId) || !areAllowed(scope)) return null
  const key = `client-document:${sha256(clientId)}`
  allowFetch(scope)
  const known = await readCached<Registration>(scope, key)
  if (known) return present(clientId, known)
  const { allowed } = await scope.uncounted.counters.hit(`client-document:${scope.request.ip}`, rule)
  if (!allowed) return null
  const given = readDocument(scope, clientId, await fetchJson(scope, clientId))
  if (!given) return null
  scope.after(() => scope.uncounted.kv.put(key, given, remembered))
  return present(clientId, given)
}

/** Section 4: it names itself, has no shared secret, and would have been registered. */
function readDocument(scope: Scope, clientId: string, document: unknown): Registration | null {
  if ((document as { client_id?: unknown } | null)?.client_id !== clientId) return null
  const read = registrationInput.safeParse({ token_endpoint_auth_method: 'none', ...(document as object) })
  if (!read.success) return null
  if (!['none', 'private_key_jwt'].includes(read.data.token_endpoint_auth_method)) return null
  const rules = { scopes: supportedScopes(scope) }
  return Object.values(registrationChecks).some((check) => check(read.data, rules) !== null) ? null : read.data
}

function present(clientId: string, given: Registration): Client {
  const { redirect_uris: redirectURLs, token_endpoint_auth_method: authenticationMethod, client_name, ...rest } = given
  return {
    clientId,
    name: client_name || new URL(clientId).host,
    icon: given.logo_uri ?? null,
    redirectURLs,
    authenticationMethod,
    secretHash: null,
    disabled: false,
    metadata: null,
    registration: {
      ...rest,
      // A program that listens on its machine chooses its port when it starts.
      application_type: redirectURLs.some(isLoopback) ? 'native' : 'web',
      // Userinfo does not fetch the document, and has to give the same name.
      subject_type: 'public',
    },
    trusted: false,
  }
}
