import { auditOptions } from '../../../identity/audit/audit.config.ts'
import { sealedRecordsAfter } from '../../../identity/audit-archive/read-archive.ts'
import { runDueJobs } from '../../../identity/jobs/dispatch.ts'
import type { JobFacts, JobKind } from '../../../identity/model/job-kind.ts'
import { notifyAdministrators } from '../../../identity/notify-administrators.ts'
import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { TryLater } from '../../../kit/errors.ts'
import { after, hours, minutes, ms, seconds } from '../../../kit/time.ts'
import { findOwners } from '../../organization/model/membership.store.ts'
import { organizationOptions } from '../../organization/model/organization.config.ts'
import { presentRecord } from '../audit.ts'
import { pausedDeploymentMail, pausedMail } from './paused.mails.ts'
import { fitting, isConfirmed, mayReach, SinkFailure, sendBatch } from './send.ts'
import * as store from './streams.store.ts'
import type { AuditStream } from './streams.table.ts'
import { lineOf, sendContextOf, streamSecretOf } from './streams.ts'

const kind = 'audit-stream'

/** Streams that one run of the cron trigger wakes. Those that have waited longest come first. */
const maxWoken = 200

/** Requests of one run of a job, and the time (s) after which it starts no further one. */
const maxRequests = 10
const workingTime = seconds(40)

/** A batch that Splunk has not confirmed for this long (s) is sent again. */
const confirmationTime = minutes(10)

/** For the cron trigger: a job for each stream with records that wait. A stream has one job at a time. */
export async function wakeStreams(scope: Scope): Promise<void> {
  const due = await store.dueStreams(scope.db, maxWoken)
  if (due.length === 0) return
  const work = unitOfWork(scope)
  for (const { id } of due) work.defer(`${kind}/${id}`, {}, { id: `${kind}:${id}`, plain: true, byCron: true })
  await work.commit()
}

/** For the cron trigger of each minute: delivers what it has sealed, as far as the budget of a run allows. */
export async function deliverSealed(scope: Scope): Promise<void> {
  await wakeStreams(scope)
  await runDueJobs(scope, kind)
}

/** Sends waiting records in order. The stream knows its place, so that a run can end at any point. */
async function deliver(scope: Scope, _payload: object, { target }: JobFacts): Promise<void> {
  const end = after(scope.now(), workingTime)
  for (let request = 0; request < maxRequests && scope.now() < end; request++) {
    const stream = await store.streamById(scope.db, target)
    if (stream?.state !== 'active') return
    try {
      if (!(await deliverBatch(scope, stream))) return
    } catch (thrown) {
      if (!(thrown instanceof SinkFailure)) throw thrown
      return settleFailure(scope, stream, thrown)
    }
  }
}

/** Sends the next batch, or asks whether the last one has arrived. @returns whether more may follow */
async function deliverBatch(scope: Scope, stream: AuditStream): Promise<boolean> {
  const { sink, organizationId, cursor, unconfirmed, format } = stream
  const context = sendContextOf(scope, scope.io.uncounted.outside)
  if (!mayReach(context.place, sink, context.ports)) throw new SinkFailure('address-refused', null)
  const secret = await streamSecretOf(scope, stream)
  if (unconfirmed && sink.type === 'splunk') {
    if (await isConfirmed(context, sink, secret, stream.id, unconfirmed.ackId)) {
      await store.noteDelivered(scope.db, stream, unconfirmed.through, scope.now())
      return true
    }
    if (scope.now().getTime() - unconfirmed.sentAt < ms(confirmationTime)) return false
    await store.updateStream(scope.db, stream.id, { unconfirmed: null })
    throw new SinkFailure('unconfirmed', null)
  }
  const { streamBatchSize } = auditOptions.of(scope)
  const { rows, mayFollow } = await sealedRecordsAfter(scope, organizationId, cursor, streamBatchSize)
  const numbered = rows.map((row) => ({
    number: (organizationId === null ? row.seq : row.organizationSeq)!,
    ...lineOf(organizationId === null ? row : presentRecord(row), format),
  }))
  const records = fitting(numbered)
  if (records.length === 0) return false
  const [first, last] = [records[0]!.number, records.at(-1)!.number]
  const ackId = await sendBatch(context, sink, secret, { streamId: stream.id, organizationId, first, last, records })
  if (ackId !== null) {
    const sent = { ackId, through: last, sentAt: scope.now().getTime() }
    await store.updateStream(scope.db, stream.id, { unconfirmed: sent, failingSince: null, lastFailure: null })
    return false
  }
  await store.noteDelivered(scope.db, stream, last, scope.now())
  return records.length < numbered.length || mayFollow
}

/** Notes a failure. After too long a time the stream is paused, and the owners or administrators get a mail. @throws for a retry */
async function settleFailure(scope: Scope, stream: AuditStream, thrown: SinkFailure): Promise<void> {
  const { failure, pause } = thrown
  const failingSince = stream.failingSince ?? scope.now()
  const noted = { failingSince, lastFailure: failure }
  if (after(failingSince, auditOptions.of(scope).streamGiveUpAfter) > scope.now()) {
    await store.updateStream(scope.db, stream.id, noted)
    if (pause !== undefined) throw new TryLater(thrown.message, Math.min(pause, hours(1)))
    throw thrown
  }
  const { organizationId, id, name } = stream
  const work = unitOfWork(scope)
  work.run(store.updateStream(scope.db, id, { ...noted, state: 'paused' }))
  work.audit({
    ...{ action: 'audit-stream-paused', actor: { type: 'system', id: null }, organizationId },
    ...{ subjectType: 'audit-stream', subjectId: id, before: { state: 'active' }, after: { name, state: 'paused' } },
  })
  if (organizationId === null) {
    await notifyAdministrators(scope, work, `audit-stream:${id}`, (one) => pausedDeploymentMail(scope, one, name))
  } else {
    const owners = await findOwners(scope.db, organizationId, organizationOptions.of(scope).creatorRole)
    for (const { organization, ...owner } of owners)
      work.defer('mail', await pausedMail(scope, organization, owner, name))
  }
  scope.log('error', 'audit-stream-paused', { id, reason: thrown.message })
  await work.commit()
}

/** `audit-stream/<id>` */
export const auditStreamJobs: Record<typeof kind, JobKind<Scope>> = {
  [kind]: {
    run: deliver,
    pauses: [minutes(1), minutes(5), minutes(15), hours(1)],
    timeout: minutes(2),
    parallel: 3,
    // A read, a request and a write for each batch.
    cost: 4 * maxRequests,
    // The stream itself ends after `audit.streamGiveUpAfter`.
    rules: (scope) => ({ giveUpAfter: 2 * auditOptions.of(scope).streamGiveUpAfter }),
  },
}
