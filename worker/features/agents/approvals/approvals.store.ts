import { and, desc, eq, gt, isNotNull, lt, ne, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Page } from '../../../kit/page.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, insertWhere, rowExists, type Statement } from '../../../platform/statements.ts'
import { oauthConsents } from '../../identity-provider/model/grants/grants.table.ts'
import { type ApprovalRequest, approvalRequests as requests } from './approvals.table.ts'

/** The requests of a user that are stored, newest first. */
export const maxStored = 200

/** Requests of one user that wait at the same time: of one client, and of all. */
export const maxPending = { ofClient: 5, ofUser: 20 }

/** Who a request is for: a verified address, or an identifier of a user. */
export type UserHint = { email: string } | { userId: string }

const isHinted = (hint: UserHint) =>
  'email' in hint ? and(eq(users.email, hint.email), eq(users.emailVerified, true)) : eq(users.id, hint.userId)

/** States are literals, because SQLite uses a partial index only if the query repeats its condition. */
const isWaiting = (userId: SQL, now: Date) =>
  and(sql`${requests.state} = 'pending'`, eq(requests.userId, userId), gt(requests.expiresAt, now))

/**
 * For a batch: writes a request for the hinted user, if the user allows the client (unless it is `trusted`), is neither a guest
 * nor banned, and has fewer waiting requests than the maximum. Otherwise it writes nothing, in as many statements.
 */
export function insertRequest(
  db: Database,
  row: Omit<ApprovalRequest, 'userId'>,
  { hint, trusted, now }: { hint: UserHint; trusted: boolean; now: Date },
) {
  const userId = sql`(select ${users.id} from ${users} where ${and(
    isHinted(hint),
    eq(users.isAnonymous, false),
    or(eq(users.banned, false), sql`${users.banExpires} <= ${now.getTime()}`),
  )} limit 1)`
  const allows = rowExists(
    oauthConsents,
    and(
      eq(oauthConsents.userId, userId),
      eq(oauthConsents.clientId, row.clientId),
      eq(oauthConsents.consentGiven, true),
    ),
  )
  const condition = and(
    isNotNull(userId),
    trusted ? undefined : allows,
    fewerThan(requests, and(isWaiting(userId, now), eq(requests.clientId, row.clientId))!, maxPending.ofClient),
    fewerThan(requests, isWaiting(userId, now)!, maxPending.ofUser),
  )!
  return insertWhere(db, requests, { ...row, userId }, condition).returning()
}

/** For the batch of `insertRequest`: deletes the oldest requests of the user beyond the maximum. */
export function deleteSurplusRequests(db: Database, id: string): Statement {
  const owner = sql`(select ${requests.userId} from ${requests} where ${requests.id} = ${id})`
  const surplus = sql`(select ${requests.id} from ${requests} where ${requests.userId} = ${owner}
    order by ${requests.createdAt} desc limit 10 offset ${maxStored})`
  return db.delete(requests).where(sql`${requests.id} in ${surplus}`)
}

export const isRequest = (id: string): Condition => rowExists(requests, eq(requests.id, id))

export const findRequest = async (db: Database, id: string, clientId: string): Promise<ApprovalRequest | null> => {
  const [found = null] = await db
    .select()
    .from(requests)
    .where(and(eq(requests.id, id), eq(requests.clientId, clientId)))
  return found
}

/** The requests to a user, newest first. @param clientId undefined: of all clients */
export const selectRequests = (
  db: Database,
  userId: SQLWrapper,
  { clientId, limit, offset }: Page & { clientId: string | undefined },
) =>
  db
    .select()
    .from(requests)
    .where(and(eq(requests.userId, userId), clientId === undefined ? undefined : eq(requests.clientId, clientId)))
    .orderBy(desc(requests.createdAt))
    .limit(limit)
    .offset(offset)

/** A request that waits for the answer of its user. */
export const selectWaiting = (db: Database, id: string, userId: string, now: Date) =>
  db
    .select()
    .from(requests)
    .where(and(eq(requests.id, id), isOpen(userId, now)))

const isOpen = (userId: string, now: Date) =>
  and(eq(requests.userId, userId), eq(requests.state, 'pending'), gt(requests.expiresAt, now))

/** For a batch: the answer of the user, once. */
export const recordAnswer = (
  db: Database,
  id: string,
  userId: string,
  { now, changes }: { now: Date; changes: Partial<ApprovalRequest> },
) =>
  db
    .update(requests)
    .set({ ...changes, answeredAt: now })
    .where(and(eq(requests.id, id), isOpen(userId, now)))

/** For the batch of the tokens: an approval leads to tokens once. */
export const spendApproval = (db: Database, id: string) =>
  db
    .update(requests)
    .set({ state: 'used', notificationToken: null })
    .where(and(eq(requests.id, id), eq(requests.state, 'approved')))

/** A request with its user, for the mail and the notification of its client. */
export const findRequestAndUser = async (db: Database, id: string) => {
  const [found] = await db
    .select({ request: requests, user: users })
    .from(requests)
    .innerJoin(users, eq(users.id, requests.userId))
    .where(and(eq(requests.id, id), ne(requests.state, 'used')))
  return found ?? null
}

/** For the cron trigger. */
export const deleteOldApprovalRequests = (db: Database, before: Date): Statement =>
  db.delete(requests).where(lt(requests.createdAt, before))
