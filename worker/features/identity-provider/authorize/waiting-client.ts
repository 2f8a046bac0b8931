import type { Scope } from '../../../identity/scope.ts'
import { findClient } from '../clients/find-client.ts'
import { waitingClientId } from './login-prompt.ts'

/** What people are shown of the client whose request waits in this browser for them to sign in; null for none. */
export async function waitingClient(scope: Scope) {
  const clientId = waitingClientId(scope)
  const client = clientId ? await findClient(scope, clientId) : null
  if (!client || client.disabled) return null
  return { clientId: client.clientId, name: client.name, icon: client.icon }
}
