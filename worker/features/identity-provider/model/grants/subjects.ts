import type { Scope } from '../../../../identity/scope.ts'
import { storedSecret } from '../../../../identity/sealing/stored-secrets.ts'
import { hmac } from '../../../../kit/hash.ts'
import { alphabets, randomString } from '../../../../kit/random.ts'
import type { Client } from '../clients/client.ts'
import { hasPairwiseClients } from '../clients/clients.store.ts'

/** The identifier of a user for a client; pairwise by the clients' host (OpenID Connect Core, section 8.1). */
export async function subjectOf(scope: Scope, userId: string, client: Client | null): Promise<string> {
  if (client?.registration.subject_type !== 'pairwise') return userId
  const sector = new URL(client.redirectURLs[0]!).host
  return hmac(await pairwiseSalt(scope), `subject:${sector}:${userId}`)
}

/**
 * The salt of pairwise subjects (OpenID Connect Core, section 8.1). Earlier versions used the oldest configured secret:
 * if pairwise clients exist without a stored salt, that secret is the first salt, so that no subject changes.
 */
export const pairwiseSalt = (scope: Scope): Promise<string> =>
  storedSecret(scope, 'pairwise-salt', async () =>
    (await hasPairwiseClients(scope.db))
      ? scope.settings.secrets.at(-1)!
      : randomString(43, alphabets.lettersAndDigits),
  )

/**
 * `sid` (OpenID Connect Back-Channel Logout, section 2.1): different for each client, so that clients cannot correlate their
 * users. The key is the random id of the session, which no client knows.
 */
export const sidOf = (sessionId: string, { clientId }: Client): string => hmac(sessionId, `sid:${clientId}`)
