import { randomBytes } from 'node:crypto'
import type { BodyOf } from '../../../http/endpoint.ts'
import { auditOptions } from '../../../identity/audit/audit.config.ts'
import type { NamedRecord } from '../../../identity/audit/audit-log.store.ts'
import { toOcsf } from '../../../identity/audit/ocsf.ts'
import type { Own } from '../../../identity/caller.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { newId } from '../../../kit/random.ts'
import type { Condition, Rows } from '../../../platform/statements.ts'
import { actorStands } from '../../admin/admin.store.ts'
import { membershipQuery, rolesUnchanged } from '../../organization/model/membership.store.ts'
import { foundMembership, memberMay, requireMembership } from '../../organization/model/membership.ts'
import { type OrganizationRecord, readingRefusals, requireMayRead } from '../audit.ts'
import type { deploymentStreamsContract } from './deployment-streams.contract.ts'
import { mayReach, type SendContext, SinkFailure, sendBatch } from './send.ts'
import { type StreamFormat, sinkAddressOf } from './sinks.ts'
import { streamErrors as errors } from './streams.errors.ts'
import * as store from './streams.store.ts'
import type { AuditStream, LastFailure } from './streams.table.ts'

/** Who changes streams. */
export interface StreamManager {
  /** Null: the streams of the deployment. */
  organizationId: string | null
  /** Holds while the caller keeps the role; otherwise the batch fails. */
  condition: Condition
}

/** An administrator whose access the endpoint has checked. */
export const administratorOf = (scope: Scope, caller: Caller): StreamManager => ({
  organizationId: null,
  condition: actorStands(scope.db, caller),
})

/** A member whose role allows `update` on `audit`. By default owners have this permission. */
export async function requireStreamManager(
  scope: Scope,
  caller: Caller,
  given: string | undefined,
): Promise<StreamManager> {
  const { organization, member } = await requireMembership(scope, caller, given, readingRefusals)
  if (!memberMay(scope, member, { audit: ['update'] })) throw errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_AUDIT_STREAMS()
  return { organizationId: organization.id, condition: rolesUnchanged(member) }
}

function workOf(scope: Scope, { condition }: StreamManager): Work {
  const work = unitOfWork(scope)
  work.require(condition, errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_AUDIT_STREAMS)
  return work
}

/** A stream without its secret and its place in the log. */
export function present({ stream, waiting }: { stream: AuditStream; waiting: number }) {
  const { secret: _s, organizationId: _o, cursor: _c, unconfirmed: _u, ...shown } = stream
  return { ...shown, waiting }
}

/** The membership of the caller and the streams, in the batch that identifies the caller. */
export function streamReads(scope: Scope, own: Own, given: string | undefined) {
  const organizationId = given || own.ofSession('activeOrganizationId')
  return {
    memberships: membershipQuery(scope.db, own.userId, { id: organizationId }),
    streams: store.listStreams(scope.db, organizationId, auditOptions.of(scope).maxStreams),
  }
}

/** @throws if the caller must not read the log */
export function listStreams(
  scope: Scope,
  caller: Caller,
  given: string | undefined,
  { memberships: [found], streams }: Rows<ReturnType<typeof streamReads>>,
) {
  requireMayRead(scope, foundMembership(scope, caller, given, found, readingRefusals))
  return { streams: streams.map(present) }
}

type Input<K extends keyof typeof deploymentStreamsContract> = BodyOf<(typeof deploymentStreamsContract)[K]>

/** What a record of the audit log says about a stream. */
const described = ({ name, sink, format }: Pick<AuditStream, 'name' | 'sink' | 'format'>) => ({
  name,
  sink: sink.type,
  address: sinkAddressOf(sink),
  format,
})

/** @returns the stream, and the secret of a URL, which the response shows once */
export async function createStream(
  scope: Scope,
  manager: StreamManager,
  { name, sink, secret: own, format, from }: Input<'createDeploymentStream'>,
) {
  const { organizationId } = manager
  const { maxStreams, streamPorts } = auditOptions.of(scope)
  if (!mayReach(scope.settings, sink, streamPorts)) throw errors.INVALID_AUDIT_STREAM_ADDRESS()
  const generated = sink.type === 'http' ? `whsec_${randomBytes(32).toString('base64')}` : null
  const secret = generated ?? own
  if (secret === undefined) throw errors.AUDIT_STREAM_SECRET_IS_REQUIRED()
  const row = {
    ...{ id: newId(), organizationId, name, sink, format, state: 'active' as const },
    secret: await seal(scope.settings.secrets, secret),
    ...{ unconfirmed: null, failingSince: null, lastFailure: null, lastDeliveredAt: null, createdAt: scope.now() },
  }
  const work = workOf(scope, manager)
  work.require(store.hasFewerStreams(organizationId, maxStreams), errors.MAXIMUM_NUMBER_OF_AUDIT_STREAMS_REACHED)
  work.run(store.insertStream(scope.db, row, from))
  work.audit({ subjectType: 'audit-stream', subjectId: row.id, after: { ...described(row), from } })
  await work.commit()
  const created = await store.findStream(scope.db, organizationId, row.id)
  return { ...present(created!), secret: generated }
}

export async function updateStream(
  scope: Scope,
  manager: StreamManager,
  { streamId, name, state, secret }: Input<'updateDeploymentStream'>,
) {
  const found = await store.findStream(scope.db, manager.organizationId, streamId)
  if (!found) throw errors.AUDIT_STREAM_NOT_FOUND()
  const { stream } = found
  const isResumed = state === 'active' && stream.state === 'paused'
  // The secret of a URL is ours: the response to its creation has shown it.
  const isReplaced = secret !== undefined && stream.sink.type !== 'http'
  const changes: Partial<AuditStream> = {
    ...(name !== undefined && { name }),
    ...(state !== undefined && { state }),
    ...(isReplaced && { secret: await seal(scope.settings.secrets, secret) }),
    // The time that a stream may fail begins again.
    ...((isResumed || isReplaced) && { failingSince: null, lastFailure: null, unconfirmed: null }),
  }
  const work = workOf(scope, manager)
  work
    .run(store.updateStream(scope.db, streamId, { name: stream.name, ...changes }), { unlessUnchanged: true })
    .orFail(errors.AUDIT_STREAM_NOT_FOUND)
  work.audit({
    ...{ subjectType: 'audit-stream', subjectId: streamId },
    before: { name: stream.name, state: stream.state },
    after: { name: name ?? stream.name, state: state ?? stream.state, ...(isReplaced && { secret: 'replaced' }) },
  })
  await work.commit()
  return present({ stream: { ...stream, ...changes }, waiting: found.waiting })
}

export async function deleteStream(scope: Scope, manager: StreamManager, streamId: string) {
  const found = await store.findStream(scope.db, manager.organizationId, streamId)
  if (!found) throw errors.AUDIT_STREAM_NOT_FOUND()
  const work = workOf(scope, manager)
  work.run(store.deleteStream(scope.db, manager.organizationId, streamId)).orFail(errors.AUDIT_STREAM_NOT_FOUND)
  work.audit({ subjectType: 'audit-stream', subjectId: streamId, before: described(found.stream) })
  await work.commit()
}

/** A record in the form that a stream sends. A stream of the deployment sends also what organizations do not see. */
export function lineOf(record: OrganizationRecord | NamedRecord, format: StreamFormat): { json: string; at: Date } {
  return { json: JSON.stringify(format === 'ocsf' ? toOcsf(record) : record), at: record.createdAt }
}

/** @throws SinkFailure if no configured secret opens it */
export async function streamSecretOf(scope: Scope, { secret }: AuditStream): Promise<string> {
  try {
    return await open(scope.settings.secrets, secret)
  } catch {
    throw new SinkFailure('secret-unreadable', null)
  }
}

export const sendContextOf = (scope: Scope, outside: SendContext['outside']): SendContext => ({
  outside,
  place: scope.settings,
  now: scope.now(),
  ports: auditOptions.of(scope).streamPorts,
  timeout: auditOptions.of(scope).streamTimeout,
})

/** Sends a record that is not in the log. @returns why it failed, or null */
export async function testStream(
  scope: Scope,
  caller: Caller,
  { organizationId }: StreamManager,
  streamId: string,
): Promise<LastFailure | null> {
  const found = await store.findStream(scope.db, organizationId, streamId)
  if (!found) throw errors.AUDIT_STREAM_NOT_FOUND()
  const { stream } = found
  const record: OrganizationRecord = {
    ...{
      id: newId(),
      createdAt: scope.now(),
      action: 'audit-stream-test',
      organizationId,
      organizationSeq: 0,
      hash: null,
    },
    ...{ actorType: 'user', actorId: caller.user.id, actorName: caller.user.name, actorVia: null, onBehalfOf: null },
    ...{ subjectType: 'audit-stream', subjectId: stream.id, subjectName: null },
    ...{ ipAddress: null, userAgent: null, requestId: scope.request.id, before: {}, after: {} },
  }
  try {
    const context = sendContextOf(scope, scope.outside)
    if (!mayReach(context.place, stream.sink, context.ports)) throw new SinkFailure('address-refused', null)
    const batch = { streamId: stream.id, organizationId, first: 0, last: 0, records: [lineOf(record, stream.format)] }
    await sendBatch(context, stream.sink, await streamSecretOf(scope, stream), batch)
    return null
  } catch (thrown) {
    if (thrown instanceof SinkFailure) return thrown.failure
    throw thrown
  }
}
