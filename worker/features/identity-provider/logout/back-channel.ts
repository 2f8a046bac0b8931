import { newGroup, noteJob } from '../../../identity/jobs/jobs.ts'
import type { EventRows, EventType } from '../../../identity/model/events.ts'
import type { JobFacts, JobKind } from '../../../identity/model/job-kind.ts'
import type { Scope } from '../../../identity/scope.ts'
import { isClientAddress } from '../../../kit/public-address.ts'
import { newId } from '../../../kit/random.ts'
import { days, hours, minutes, seconds } from '../../../kit/time.ts'
import type { Statement } from '../../../platform/statements.ts'
import { signJwt } from '../../jwt/signing-keys.ts'
import { clientOfRow } from '../model/clients/client.ts'
import { selectClient } from '../model/clients/clients.store.ts'
import { detachSession, type Logout, releaseHeld } from '../model/grants/logout-messages.store.ts'
import { sidOf, subjectOf } from '../model/grants/subjects.ts'
import { issuerOf } from '../model/protocol/urls.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** Lifecycle place `recording`: makes the messages to clients due when sessions end (Back-Channel Logout). */
export function releaseLogouts(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  if (type !== 'session.ended') return []
  const group = newGroup()
  noteJob(scope, group)
  return [releaseHeld(scope.db, group, rows(), scope.now())]
}

/** OpenID Connect Back-Channel Logout, section 2.4: the logout token; section 2.5: its request. */
async function sendLogout(scope: Scope, { userId, sessionId }: Logout, { target }: JobFacts): Promise<void> {
  const [application] = await selectClient(scope.db, target)
  const address = application?.registration.backchannel_logout_uri
  // The client was deleted, or no longer wants messages.
  if (!application || !address) return
  const client = clientOfRow(application, false, scope.now())
  const claims = {
    iss: issuerOf(scope),
    aud: client.clientId,
    sub: await subjectOf(scope, userId, client),
    sid: sidOf(sessionId, client),
    jti: newId(),
    events: { [event]: {} },
  }
  const alg = client.registration.id_token_signed_response_alg ?? 'RS256'
  const token = await signJwt(scope, claims, { typ: 'logout+jwt', expiresIn: minutes(2), alg })
  // Earlier versions registered addresses at our own domain.
  if (!isClientAddress(address, scope.settings)) throw new Error('the address may not be called')
  const answer = await scope.outside(address, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
    timeout: seconds(5),
  })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  await detachSession(scope.db, client.clientId, sessionId)
}

/** `logout/<client>`. One request to a client per run. */
export const logoutJobs: Record<'logout', JobKind<Scope>> = {
  logout: {
    run: sendLogout,
    pauses: [0, 0, minutes(5), minutes(15), hours(1)],
    parallel: 1,
    cost: 4,
    giveUpAfter: days(3),
    maxRest: hours(1),
  },
}
