import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { deploymentChain, hiddenActors, type StoredRecord } from '../../kit/audit-chain.ts'
import { after, minutes } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import { givenValues } from '../../platform/statements.ts'
import type { ActorType } from '../model/audit-context.ts'
import { users } from '../model/users.table.ts'
import { idOfUser } from '../users/users.store.ts'
import { type AuditRecord, auditChains, auditRecords } from './audit-records.table.ts'

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
const late = alias(auditRecords, 'late')

/** A search reads so many records at once, and the page has those that match. */
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

/**
 * For a batch: reads a page of the log, newest first, and one more record, which shows whether another page follows.
 * The selective filter has an index; the plus leaves it for the others.
 */
export function auditPage(db: Database, query: AuditQuery) {
  const { organizationId, actor, subject, actions, since, until, search, limit, before } = query
  const { seq, organizationSeq } = auditRecords
  const number = organizationId === undefined ? seq : organizationSeq
  const chosen = organizationId ?? subject ?? actor
  const rows = (search === undefined ? limit : searchWindow) + 1
  const period = and(
    since && gte(auditRecords.createdAt, since),
    until && lt(auditRecords.createdAt, until),
    ...(organizationId === undefined ? [since && from(since), until && to(until)] : []),
    before === null ? undefined : lt(number, before),
  )
  return namedRecords(db)
    .where(
      and(
        organizationId === undefined ? undefined : eq(auditRecords.organizationId, organizationId),
        subject === undefined
          ? undefined
          : organizationId === undefined
            ? eq(auditRecords.subjectId, idOfUser(subject))
            : sql`+${auditRecords.subjectId} = ${idOfUser(subject)}`,
        actor === undefined
          ? undefined
          : chosen === actor
            ? eq(auditRecords.actorId, idOfUser(actor))
            : sql`+${auditRecords.actorId} = ${idOfUser(actor)}`,
        actions === undefined
          ? undefined
          : chosen === undefined
            ? newestOf(actions, period, rows)
            : sql`+${auditRecords.action} in ${actions}`,
        organizationId === undefined || actor === undefined
          ? undefined
          : notInArray(auditRecords.actorType, hiddenActors as ActorType[]),
        period,
      ),
    )
    .orderBy(desc(number))
    .limit(rows)
}

/** A record can be committed so much later (s) than its time says. */
const slack = minutes(10)

/**
 * The first number of a period, and the last one: one entry of the index of times each. Without them a page with few records
 * would be searched for to the beginning of the log.
 */
const from = (since: Date): SQL =>
  sql`${auditRecords.seq} >= (select early.seq from ${auditRecords} as early
    where ${early.createdAt} >= ${after(since, -slack).getTime()} order by ${early.createdAt} limit 1)`
const to = (until: Date): SQL =>
  sql`${auditRecords.seq} <= (select late.seq from ${auditRecords} as late
    where ${late.createdAt} < ${after(until, slack).getTime()} order by ${late.createdAt} desc limit 1)`

/** The newest records of some actions. The index has those of one action in the order of their numbers. */
function newestOf([first, ...others]: readonly string[], period: SQL | undefined, limit: number): SQL | undefined {
  const { seq, action } = auditRecords
  if (others.length === 0) return eq(action, first ?? '')
  const newest = [first!, ...others].map(
    (one) =>
      sql`select * from (select ${seq} from ${auditRecords} where ${and(eq(action, one), period)}
        order by ${seq} desc limit ${limit})`,
  )
  return inArray(seq, sql`(${unionOf(newest)})`)
}

/** The runtime combines at most five queries at once. */
function unionOf(queries: readonly SQL[]): SQL {
  if (queries.length <= 5) return sql.join([...queries], sql` union all `)
  const size = Math.ceil(queries.length / 5)
  const parts = Array.from({ length: 5 }, (_, part) => queries.slice(part * size, (part + 1) * size))
  return unionOf(parts.filter((part) => part.length > 0).map((part) => sql`select * from (${unionOf(part)})`))
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
