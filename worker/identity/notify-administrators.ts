import { and, asc, eq, sql } from 'drizzle-orm'
import { after, days } from '../kit/time.ts'
import type { Mail } from '../platform/mailer/mail.ts'
import { type User, users } from './model/users.table.ts'
import { isAdministratorRow } from './registry.ts'
import type { Scope } from './scope.ts'
import { isNotBanned } from './sessions/sessions.store.ts'
import { isUnused, isUsed, noteUse } from './used-records.ts'
import type { Work } from './work.ts'

type Administrator = Pick<User, 'email' | 'name' | 'language'>

const maxNotified = 20

/** The administrators of the deployment who get notices: those with a verified address and without a ban. */
const findAdministrators = (scope: Scope): Promise<Administrator[]> =>
  scope.db
    .select({ email: users.email, name: users.name, language: users.language })
    .from(users)
    .where(
      and(
        isAdministratorRow(scope, 'list'),
        eq(users.emailVerified, true),
        eq(users.emailIsPlaceholder, false),
        isNotBanned(scope.now()),
      ),
    )
    // The plus keeps SQLite from walking the index of the order.
    .orderBy(sql`+${users.createdAt}`, asc(users.id))
    .limit(maxNotified)

/** Mails the administrators by jobs of the same batch, once in `pause` (s) for each subject. */
export async function notifyAdministrators(
  scope: Scope,
  work: Work,
  subject: string,
  mailTo: (administrator: Administrator) => Promise<Mail>,
  pause = days(1),
): Promise<void> {
  const notice = { kind: 'administrators-notice', token: subject, expiresAt: after(scope.now(), pause) }
  if (await isUsed(scope, notice)) return
  for (const one of await findAdministrators(scope)) {
    work.defer('mail', await mailTo(one), { when: isUnused(scope, notice) })
  }
  work.run(noteUse(scope, notice))
}
