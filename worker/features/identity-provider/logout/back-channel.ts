import type { Scope } from '../../../identity/scope.ts'
import { newId } from '../../../kit/random.ts'
import { minutes, seconds } from '../../../kit/time.ts'
import { reasonOf } from '../../../platform/log.ts'
import { signJwt } from '../../jwt/signing-keys.ts'
import { type Client, clientOfRow } from '../clients/client.ts'
import { issuerOf } from '../issuer.ts'
import { subjectOf } from '../token/claims.ts'
import { detachSession, listEndedSessions } from './back-channel.store.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** How many clients one run tells. */
const mostAtOnce = 50

/**
 * Tells clients that sessions of theirs have ended, in whatever way (OpenID Connect Back-Channel Logout): their tokens
 * still name a session that is no more. It is done when sessions have ended and by the cron trigger, and again until
 * the client has heard, or its tokens are gone.
 */
export async function tellOfEndedSessions(scope: Scope): Promise<void> {
  const ended = await listEndedSessions(scope.db, mostAtOnce)
  const byClient = Map.groupBy(ended, ({ application }) => application.clientId)
  await Promise.all([...byClient.values()].map((sessions) => tellClient(scope, sessions)))
}

/** One after the other; a client that does not hear of one is not asked for the next until another run. */
async function tellClient(scope: Scope, sessions: Awaited<ReturnType<typeof listEndedSessions>>): Promise<void> {
  for (const { application, userId, sessionId } of sessions) {
    const client = clientOfRow(application, false)
    try {
      await tell(scope, client, userId, sessionId)
      await detachSession(scope.db, client.clientId, sessionId)
    } catch (thrown) {
      scope.log('warn', 'back-channel-logout-failed', { clientId: client.clientId, reason: reasonOf(thrown) })
      return
    }
  }
}

/** Section 2.4: the logout token; section 2.5: how it arrives. */
async function tell(scope: Scope, client: Client, userId: string, sessionId: string): Promise<void> {
  const claims = {
    iss: issuerOf(scope),
    aud: client.clientId,
    sub: subjectOf(scope, userId, client),
    sid: sessionId,
    jti: newId(),
    events: { [event]: {} },
  }
  const alg = client.registration.id_token_signed_response_alg ?? 'RS256'
  const token = await signJwt(scope, claims, { typ: 'logout+jwt', expiresIn: minutes(2), alg })
  const answer = await scope.outside(client.registration.backchannel_logout_uri!, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
    timeout: seconds(5),
  })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
}
