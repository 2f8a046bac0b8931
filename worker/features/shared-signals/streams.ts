import type { Scope } from '../../identity/scope.ts'
import { endpointUrl } from '../../identity/settings.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import type { Work } from '../../identity/work.ts'
import { sha256 } from '../../kit/hash.ts'
import { newId } from '../../kit/random.ts'
import { minutes, ms } from '../../kit/time.ts'
import { read } from '../../platform/statements.ts'
import { jwtIssuerOf, warmSigningKey } from '../jwt/signing-keys.ts'
import { sharedSignalOptions } from './shared-signals.config.ts'
import { maxPolled } from './shared-signals.contract.ts'
import { sharedSignalErrors as errors } from './shared-signals.errors.ts'
import * as store from './shared-signals.store.ts'
import type { StoredReceiver, StreamStatus } from './shared-signals.table.ts'
import { signalTypes } from './signal-types.ts'
import { type Signal, signedEvent, uriOf } from './signals.ts'

/** What a receiver does with its own stream (SSF 1.0, section 8.1; RFC 8936). */

const tokenForm = /^bearer (gh_ss_[A-Za-z0-9]{48})$/i

/** Check of the access `client`: the receiver of the token (RFC 6750). @throws INVALID_SIGNAL_TOKEN */
export async function receiverOf(scope: Scope, request: Request): Promise<StoredReceiver> {
  const token = tokenForm.exec(request.headers.get('authorization') ?? '')?.[1]
  const isOpen = sharedSignalOptions.of(scope).registration
  const found = token && isOpen ? await store.findReceiver(scope.db, { tokenHash: sha256(token) }) : null
  if (!found) throw errors.INVALID_SIGNAL_TOKEN({ headers: { 'www-authenticate': 'Bearer' } })
  return found
}

/** Seconds between two verification events. */
const verificationInterval = minutes(1)

const urn = { push: 'urn:ietf:rfc:8935', poll: 'urn:ietf:rfc:8936' }

/** The fields of the transmitter metadata (SSF 1.0, section 7.1) while receivers can be registered. */
export function managementMetadata(scope: Scope) {
  if (!sharedSignalOptions.of(scope).registration) return { delivery_methods_supported: [urn.push] }
  return {
    delivery_methods_supported: [urn.push, urn.poll],
    configuration_endpoint: endpointUrl(scope, '/ssf/stream'),
    status_endpoint: endpointUrl(scope, '/ssf/status'),
    verification_endpoint: endpointUrl(scope, '/ssf/verify'),
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6750' }],
  }
}

/** The configuration of a stream. */
export function streamOf(scope: Scope, { id, audience, events, url }: StoredReceiver) {
  const wanted = events.map((type) => uriOf[type])
  return {
    ...{ stream_id: id, iss: jwtIssuerOf(scope), aud: audience },
    events_supported: signalTypes.map((type) => uriOf[type]),
    events_requested: wanted,
    events_delivered: wanted,
    delivery:
      url === null
        ? { method: urn.poll, endpoint_url: endpointUrl(scope, '/ssf/poll') }
        : { method: urn.push, endpoint_url: url },
    min_verification_interval: verificationInterval,
  }
}

/** @throws SIGNAL_STREAM_NOT_FOUND for the stream of another receiver */
export function requireOwnStream({ id }: StoredReceiver, streamId: string): void {
  if (streamId !== id) throw errors.SIGNAL_STREAM_NOT_FOUND()
}

export const statusOf = ({ id, status, reason }: Pick<StoredReceiver, 'id' | 'status' | 'reason'>) => ({
  ...{ stream_id: id, status },
  ...(reason !== null && { reason }),
})

/** Adds a new status: a paused stream holds its events; a disabled one drops them. @throws SIGNAL_RECEIVER_NOT_FOUND */
export function changeStream(scope: Scope, work: Work, id: string, status: StreamStatus, reason: string | null): void {
  work
    .run(store.setStatus(scope.db, id, status, reason), { unlessUnchanged: true })
    .orFail(errors.SIGNAL_RECEIVER_NOT_FOUND)
  if (status === 'disabled') work.run(store.dropEvents(scope.db, id))
}

export async function changeStatus(scope: Scope, { id }: StoredReceiver, status: StreamStatus, reason: string | null) {
  const work = unitOfWork(scope)
  changeStream(scope, work, id, status, reason)
  await work.commit()
  return statusOf({ id, status, reason })
}

/** Adds a verification event through the stream. @throws TOO_MANY_VERIFICATIONS */
export function addVerification(scope: Scope, work: Work, { id, url }: StoredReceiver, state?: string): void {
  const now = scope.now()
  const event: Signal = { type: 'verification', streamId: id, ...(state !== undefined && { state }) }
  work
    .run(store.markVerified(scope.db, id, now, new Date(now.getTime() - ms(verificationInterval))))
    .orFail(errors.TOO_MANY_VERIFICATIONS)
  if (url !== null) work.defer(`signal/${store.registeredPrefix}${id}`, event)
  else {
    const payload = JSON.stringify(event)
    work.run(store.queueSignal(scope.db, { id: newId(), receiverId: id, payload, createdAt: now }))
  }
}

export async function verifyStream(scope: Scope, receiver: StoredReceiver, state: string | undefined): Promise<void> {
  const work = unitOfWork(scope)
  addVerification(scope, work, receiver, state)
  await work.commit()
}

/** A poll request (RFC 8936, section 2.2). */
interface Poll {
  maxEvents?: number | undefined
  ack?: string[] | undefined
  setErrs?: Record<string, { err: string }> | undefined
}

/** Deletes what the receiver acknowledges or refuses, and returns what waits. @throws NOT_A_POLL_STREAM */
export async function poll(
  scope: Scope,
  receiver: StoredReceiver,
  { maxEvents = maxPolled, ack = [], setErrs = {} }: Poll,
) {
  const { id, audience, status, url } = receiver
  if (url !== null) throw errors.NOT_A_POLL_STREAM()
  for (const [jti, { err }] of Object.entries(setErrs))
    scope.log('warn', 'signal-refused', { receiver: id, jti, err: err.replaceAll(/[^\w-]/g, '') })
  const limit = status === 'enabled' ? Math.min(maxEvents, maxPolled) : 0
  const { waiting } = await read(scope.db, {
    acknowledged: store.acknowledge(scope.db, id, [...ack, ...Object.keys(setErrs)]),
    waiting: store.oldestEvents(scope.db, id, limit + 1),
  })
  const shown = waiting.slice(0, limit)
  if (shown.length > 0) await warmSigningKey(scope)
  const sets = await Promise.all(
    shown.map(async (event) => [
      event.id,
      await signedEvent(scope, audience, JSON.parse(event.payload) as Signal, event),
    ]),
  )
  return {
    sets: Object.fromEntries(sets) as Record<string, string>,
    ...(status === 'enabled' && waiting.length > limit && { moreAvailable: true }),
  }
}
