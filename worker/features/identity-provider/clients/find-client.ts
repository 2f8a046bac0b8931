import type { Scope } from '../../../identity/scope.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import type { OAuthApplication } from '../identity-provider.table.ts'
import { type Client, clientOfConfiguration, clientOfRow } from './client.ts'
import { findApplication } from './clients.store.ts'
import { findByDocument, isDocumentId } from './metadata-document.ts'

/** The longest client id that is looked for. An id may be the address of a metadata document. */
export const longestClientId = 512

function findConfigured(scope: Scope, clientId: string): Client | null {
  const { trustedClients } = identityProviderOptions.of(scope)
  const given = trustedClients.find((client) => typeof client !== 'string' && client.clientId === clientId)
  return given && typeof given !== 'string' ? clientOfConfiguration(given) : null
}

/** The client of the configuration, or the one of a row that was read together with something else. */
export function knownClient(scope: Scope, clientId: string, row: OAuthApplication | null | undefined): Client | null {
  const configured = findConfigured(scope, clientId)
  if (configured || !row) return configured
  return clientOfRow(row, identityProviderOptions.of(scope).trustedClients.includes(clientId))
}

/**
 * Whether a client's tokens are void: it is disabled, or has gone, with its developer for instance. Of one with a
 * document nothing matters here, so that it is not fetched again.
 * @param client what `knownClient` answers
 */
export const hasEnded = (clientId: string, client: Client | null): boolean =>
  client ? client.disabled : !isDocumentId(clientId)

/** The client of the configuration, of a row, or by its document. */
export async function clientOf(
  scope: Scope,
  clientId: string,
  row: OAuthApplication | null | undefined,
): Promise<Client | null> {
  const known = knownClient(scope, clientId, row)
  if (known) return known
  return clientId.length <= longestClientId && isDocumentId(clientId) ? findByDocument(scope, clientId) : null
}

/** That client, read by itself: at most one round trip. */
export async function findClient(scope: Scope, clientId: string): Promise<Client | null> {
  const unread = clientId.length > longestClientId || isDocumentId(clientId) || findConfigured(scope, clientId)
  return clientOf(scope, clientId, unread ? null : await findApplication(scope.db, clientId))
}
