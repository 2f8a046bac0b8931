import { and, asc, desc, eq, getTableColumns, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { deploymentChain, type StoredRecord } from '../../kit/audit-chain.ts'
import { after, minutes } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import { givenValues } from '../../platform/statements.ts'
import { users } from '../model/users.table.ts'
import { idOfUser } from '../users/users.store.ts'
import { type AuditRecord, auditChains, auditRecords, isOfAnother } from './audit-records.table.ts'

export interface AuditQuery {
  /** An expression in the batch that identifies the caller. */
  organizationId?: string | SQL | undefined
  /** Users by id or email address; an id of any other entity. */
  actor?: string | undefined
  subject?: string | undefined
  /** One of these. */
  actions?: readonly string[] | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** A text in any field of a record. */
  search?: string | undefined
  limit: number
  /** The number of the last record of the previous page: in the organization if one is given. */
  before: number | null
}

/** A record with the current names of its users. */
export type NamedRecord = AuditRecord & { actorName: string | null; subjectName: string | null } & Pick<
    StoredRecord,
    'erased' | 'organizationErased'
  >

const actors = alias(users, 'actors')
const subjects = alias(users, 'subjects')
const early = alias(auditRecords, 'early')
const { seq, organizationSeq } = auditRecords

/** What no index has is compared with so many records at once, and the page has those that match. */
export const searchWindow = 1000

const namedRecords = (db: Database) =>
  db
    .select({
      ...getTableColumns(auditRecords),
      // In a batch, D1 identifies columns only by name.
      actorName: sql<string | null>`${actors.name}`.as('actor_name'),
      subjectName: sql<string | null>`${subjects.name}`.as('subject_name'),
    })
    .from(auditRecords)
    .leftJoin(actors, eq(actors.id, auditRecords.actorId))
    .leftJoin(subjects, eq(subjects.id, auditRecords.subjectId))

/** The sealed records after a number, in their order. @param organizationId null: of the deployment */
export function sealedAfter(db: Database, organizationId: string | null, after: number, limit: number) {
  const number = organizationId === null ? auditRecords.seq : auditRecords.organizationSeq
  return namedRecords(db)
    .where(
      and(
        organizationId === null ? undefined : eq(auditRecords.organizationId, organizationId),
        gt(number, after),
        // A range, so that the read ends before the records that are not sealed.
        sql`${number} <= (select sealed_seq from ${auditChains} where chain = ${organizationId ?? deploymentChain})`,
      ),
    )
    .orderBy(asc(number))
    .limit(limit)
}

/** Whether the page of a query compares a window of records with its filters: an index has the range of one of them at most. */
export const isCompared = ({ organizationId, actor, subject, actions, search }: AuditQuery): boolean =>
  actor !== undefined ||
  actions !== undefined ||
  search !== undefined ||
  (organizationId !== undefined && subject !== undefined)

/**
 * For a batch: reads a page of the log or the window of its records, newest first, and one more record, which shows whether
 * another page follows.
 */
export function auditPage(db: Database, query: AuditQuery) {
  const { organizationId, actor, subject, since, until, limit, before } = query
  const number = organizationId === undefined ? seq : organizationSeq
  const rows = (isCompared(query) ? searchWindow : limit) + 1
  const period = and(
    since && gt(number, lastBefore(after(since, -slack), organizationId)),
    until && lte(number, lastBefore(after(until, slack), organizationId)),
    since && gte(auditRecords.createdAt, since),
    until && lt(auditRecords.createdAt, until),
    before === null ? undefined : lt(number, before),
  )
  const range =
    organizationId !== undefined
      ? eq(auditRecords.organizationId, organizationId)
      : subject !== undefined
        ? eq(auditRecords.subjectId, idOfUser(subject))
        : actor !== undefined
          ? involves(idOfUser(actor), period, rows)
          : undefined
  return namedRecords(db).where(and(range, period)).orderBy(desc(number)).limit(rows)
}

/** A record can be committed so much later (s) than its time says. */
const slack = minutes(10)

/** More than there are numbers in D1. A literal: D1 binds numbers as REAL, whose halves do not end. */
const largestStep = sql.raw(String(2 ** 30))

/**
 * The last number before a time, or one less than the first: numbers follow the time, so that a search by halves finds it. It
 * reads one record a step, and needs no index of times.
 */
function lastBefore(time: Date, organizationId: AuditQuery['organizationId']): SQL {
  const [number, inRange] =
    organizationId === undefined
      ? [early.seq, sql`1`]
      : [early.organizationSeq, eq(early.organizationId, organizationId)]
  return sql`(with recursive halves(number, size) as (
    select (select min(${number}) - 1 from ${auditRecords} as early where ${inRange}), ${largestStep}
    union all
    select number + iif((select ${early.createdAt} from ${auditRecords} as early
      where ${inRange} and ${number} >= halves.number + halves.size
      order by ${number} limit 1) < ${time.getTime()}, size, 0), size / 2
    from halves where size > 0
  ) select max(number) from halves)`
}

/** The newest records with a user as their actor or subject. The index of actors has no record about its own actor. */
function involves(id: string | SQL, period: SQL | undefined, limit: number): SQL {
  const newest = (which: SQL) =>
    sql`select * from (select ${seq} from ${auditRecords} where ${and(which, period)} order by ${seq} desc limit ${limit})`
  const { actorId, subjectId } = auditRecords
  return sql`${seq} in (${newest(sql`${actorId} = ${id} and ${isOfAnother}`)} union all ${newest(sql`${subjectId} = ${id}`)})`
}

/** For a batch: the users of the filters by id. */
export const filterIds = (db: Database, { actor, subject }: Pick<AuditQuery, 'actor' | 'subject'>) =>
  db
    .select({
      actor: sql<string | null>`${actor === undefined ? null : idOfUser(actor)}`.as('actor'),
      subject: sql<string | null>`${subject === undefined ? null : idOfUser(subject)}`.as('subject'),
    })
    .from(sql`(select 1)`)

/** The current names of users. */
export const namesOfIds = (db: Database, ids: readonly string[]) =>
  db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(sql`${users.id} in ${givenValues(ids)}`)
