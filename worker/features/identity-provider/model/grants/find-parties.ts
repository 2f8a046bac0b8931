import type { Caller, Scope } from '../../../../identity/scope.ts'
import type { Client } from '../clients/client.ts'
import { selectClient } from '../clients/clients.store.ts'
import { clientOf, findClient, maxClientIdLength } from '../clients/find-client.ts'
import { selectConsent } from './consents.store.ts'
import type { OAuthConsent } from './grants.table.ts'

export interface Parties {
  client: Client | null
  caller: Caller | null
  /** What the caller allows the client. */
  consent: OAuthConsent | null
}

/** A client, the caller, and the consent between them: one round trip. */
export async function findParties(scope: Scope, clientId: string): Promise<Parties> {
  if (clientId.length > maxClientIdLength) return { client: null, caller: await scope.caller(), consent: null }
  const found = await scope.callerWith((own) => ({
    clients: selectClient(scope.db, clientId),
    consents: selectConsent(scope.db, clientId, own.userId),
  }))
  if (!found) return { client: await findClient(scope, clientId), caller: null, consent: null }
  const {
    clients: [application],
    consents: [consent = null],
  } = found.rows
  return { client: await clientOf(scope, clientId, application), caller: found.caller, consent }
}
