import { days } from '../kit/time.ts'
import { sizeLevels } from '../platform/database-size.ts'
import { read, readCondition } from '../platform/statements.ts'
import { databaseOptions } from './database.config.ts'
import { fullDatabaseMail } from './full-database.mails.ts'
import { notifyAdministrators } from './notify-administrators.ts'
import type { Scope } from './scope.ts'
import { unitOfWork } from './unit-of-work.ts'

/**
 * For the cron trigger, before the deletions, which depend on the size: logs each run at a nearly full database, and mails
 * administrators once at each level. The mail is repeated after 30 days.
 */
export async function watchSize(scope: Scope): Promise<void> {
  const { maximumBytes } = databaseOptions.of(scope)
  const { size } = scope.shared
  await read(scope.db, { size: readCondition(scope.db) })
  const fullness = size.fullness(maximumBytes)
  const [level] = Object.entries(sizeLevels).findLast(([, from]) => fullness >= from) ?? []
  if (level === undefined) return
  scope.log('error', 'database-nearly-full', { level, bytes: size.bytes, maximumBytes })
  const percent = Math.floor(100 * fullness)
  const work = unitOfWork(scope)
  // Sends a mail.
  work.audit(null)
  const mailTo = (one: Parameters<typeof fullDatabaseMail>[1]) => fullDatabaseMail(scope, one, percent)
  await notifyAdministrators(scope, work, `database-${level}`, mailTo, days(30))
  await work.commit()
}
