import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { warnOwners } from '../model/notify-owners.ts'
import { connectionsToNotice, recordNotice } from './connections.store.ts'
import { dueNotices, noticeAtOf } from './notice-times.ts'

const batchSize = 20

/**
 * For the cron trigger: warns the owners of organizations 30, 7 and 1 days before a certificate of an active connection
 * expires. The batch of the mails sets the time of the next notice, so that each is sent once.
 */
export async function sendCertificateNotices(scope: Scope): Promise<void> {
  const now = scope.now()
  for (const connection of await connectionsToNotice(scope.db, now, batchSize)) {
    const work = unitOfWork(scope)
    work.run(recordNotice(scope.db, connection, noticeAtOf(now, connection))).orFail()
    if (connection.state === 'active') {
      for (const { whose, at } of dueNotices(now, connection)) {
        await warnOwners(scope, work, connection.organizationId, `${whose}-certificate`, {
          subject: connection.name,
          at,
        })
      }
    }
    await work.commit()
  }
}
