import { keptLanguage } from '../../../identity/messages/compose.ts'
import { sendMail } from '../../../identity/messages/messages.ts'
import type { JobKind } from '../../../identity/model/job-kind.ts'
import { pageFor } from '../../../identity/pages.ts'
import type { Scope } from '../../../identity/scope.ts'
import { open } from '../../../kit/encrypt.ts'
import { GiveUp } from '../../../kit/errors.ts'
import { isClientAddress } from '../../../kit/public-address.ts'
import { hours, minutes, seconds } from '../../../kit/time.ts'
import { clientOfRow } from '../../identity-provider/model/clients/client.ts'
import { selectClient } from '../../identity-provider/model/clients/clients.store.ts'
import { detailWords, sentenceIn } from '../../identity-provider/model/protocol/authorization-details.ts'
import { readResources } from '../../identity-provider/model/protocol/known-resources.ts'
import { words } from '../../identity-provider/model/protocol/parameters.ts'
import { scopeWords } from '../../identity-provider/model/protocol/resources.ts'
import { approvalMail } from './approvals.mails.ts'
import { findRequestAndUser } from './approvals.store.ts'
import { authReqId } from './auth-req-id.ts'

interface Payload {
  id: string
}

/** The job that mails a request to its user. */
export const mailKind = 'approval-mail'

/** The job that notifies the client of an answer: `approval-ping/<client>`. */
export const pingKind = 'approval-ping'

/** Someone else may read a mailbox that is not verified, and there a request would be useless. */
async function mailRequest(scope: Scope, { id }: Payload): Promise<void> {
  const found = await findRequestAndUser(scope.db, id)
  if (found?.request.state !== 'pending' || found.request.expiresAt <= scope.now()) return
  const { request, user } = found
  if (!user.emailVerified || user.emailIsPlaceholder) return
  const language = keptLanguage(scope, user)
  // A mail has no characters that direct its text.
  const details = detailWords(scope, request.authorizationDetails).map(({ sentence }) =>
    sentenceIn(sentence, language).replace(/[\u2068\u2069]/g, ''),
  )
  await readResources(scope)
  const permissions = Object.values(scopeWords(scope, words(request.scopes)))
  const mail = await approvalMail(
    scope,
    { email: user.email, name: user.name, language },
    {
      client: request.clientName,
      message: request.bindingMessage,
      what: [...details, ...permissions],
      expiresAt: request.expiresAt,
      url: pageFor(scope, 'approvals'),
    },
  )
  await sendMail(scope, { ...mail, id, madeAt: request.createdAt.getTime() })
}

/** OpenID Connect CIBA, section 10.2: the notification of a client that registered for `ping`. */
async function ping(scope: Scope, { id }: Payload): Promise<void> {
  const found = await findRequestAndUser(scope.db, id)
  if (!found?.request.notificationToken) return
  const { clientId, notificationToken, expiresAt } = found.request
  const [application] = await selectClient(scope.db, clientId)
  const address = application?.registration.backchannel_client_notification_endpoint
  if (!application || !address || clientOfRow(application, false, scope.now()).disabled) return
  if (!isClientAddress(address, scope.settings)) throw new GiveUp('the address may not be called')
  const named = { id, clientId, expiresAt: expiresAt.getTime() }
  const answer = await scope.outside(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await open(scope.settings.secrets, notificationToken)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ auth_req_id: authReqId(scope, named) }),
    timeout: seconds(5),
  })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
}

export const approvalJobs: Record<typeof mailKind | typeof pingKind, JobKind<Scope>> = {
  [mailKind]: { run: mailRequest, giveUpAfter: hours(1), maxRest: minutes(5) },
  // A client that gets no notification may poll (section 10.2), so old ones have no value.
  [pingKind]: {
    run: ping,
    pauses: [0, seconds(30), minutes(2)],
    parallel: 1,
    giveUpAfter: hours(1),
    maxRest: minutes(5),
  },
}
