import type { Scope } from '../../../../identity/scope.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import { type Client, clientOfConfiguration, clientOfRow, clientOfService, hasCredentials } from './client.ts'
import { selectClient } from './clients.store.ts'
import type { OAuthApplication } from './clients.table.ts'
import { findByDocument, isDocumentId } from './metadata-document.ts'

/** A client id may be the address of a metadata document. */
export const maxClientIdLength = 512

function findConfigured(scope: Scope, clientId: string): Client | null {
  const { trustedClients } = identityProviderOptions.of(scope)
  const given = trustedClients.find((client) => typeof client !== 'string' && client.clientId === clientId)
  if (given && typeof given !== 'string') return clientOfConfiguration(given)
  const service = identityProviderOptions.of(scope).services.find((one) => one.clientId === clientId)
  return service && hasCredentials(service) ? clientOfService(service) : null
}

/** The client of the configuration or of a row. */
export function knownClient(scope: Scope, clientId: string, row: OAuthApplication | null | undefined): Client | null {
  const configured = findConfigured(scope, clientId)
  if (configured || !row) return configured
  const { trustedClients, services } = identityProviderOptions.of(scope)
  const client = clientOfRow(row, trustedClients.includes(clientId), scope.now())
  const rights = services.find((one) => one.clientId === clientId && !one.disabled)
  return rights ? { ...client, service: rights } : client
}

/** Whether the tokens of a client are void, because it is disabled or deleted. Its document is not fetched for this. */
export const hasEnded = (clientId: string, client: Client | null): boolean =>
  client ? client.disabled : !isDocumentId(clientId)

/** The client of the configuration, of a row, or of its document. */
export async function clientOf(
  scope: Scope,
  clientId: string,
  row: OAuthApplication | null | undefined,
): Promise<Client | null> {
  const known = knownClient(scope, clientId, row)
  if (known) return known
  return clientId.length <= maxClientIdLength && isDocumentId(clientId) ? findByDocument(scope, clientId) : null
}

/** Finds a client in at most one round trip. */
export async function findClient(scope: Scope, clientId: string): Promise<Client | null> {
  const unread = clientId.length > maxClientIdLength || isDocumentId(clientId) || findConfigured(scope, clientId)
  const [row] = unread ? [] : await selectClient(scope.db, clientId)
  return clientOf(scope, clientId, row)
}
