import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { EventRows } from '../../../identity/model/events.ts'
import { sessions } from '../../../identity/model/sessions.table.ts'
import { users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { jsonOf } from '../../../platform/json-sql.ts'
import { type Condition, fewerThan, insertWhere, type Statement } from '../../../platform/statements.ts'
import { maxBlocks } from './threats.contract.ts'
import { attacks, defences } from './threats.table.ts'

export type Defence = typeof defences.$inferSelect
export type Attack = typeof attacks.$inferSelect

/** One more row is the raised level. */
export const maxDefences = maxBlocks + 1

/** For a batch: the defences in force, with the names of their administrators. */
export const defencesInForce = (db: Database, now: Date) =>
  db
    .select({
      id: defences.id,
      kind: defences.kind,
      network: defences.network,
      createdAt: sql`${defences.createdAt}`.mapWith(defences.createdAt).as('began_at'),
      expiresAt: defences.expiresAt,
      createdBy: sql<string | null>`${users.name}`.as('created_by_name'),
    })
    .from(defences)
    .leftJoin(users, eq(users.id, defences.createdBy))
    .where(gt(defences.expiresAt, now))
    .orderBy(desc(defences.expiresAt))
    .limit(maxDefences)

/** Holds while there is room for a block. */
export const hasRoomForBlock = (now: Date): Condition =>
  fewerThan(defences, and(gt(defences.expiresAt, now), eq(defences.kind, 'block'))!, maxBlocks)

export const insertDefence = (db: Database, defence: Defence) => db.insert(defences).values(defence)

/** Deletes the level, or the earlier block of a network. */
export const deleteSame = (db: Database, kind: Defence['kind'], network: string) =>
  db.delete(defences).where(and(eq(defences.kind, kind), eq(defences.network, network)))

export const deleteDefence = (db: Database, id: string) =>
  db
    .delete(defences)
    .where(and(eq(defences.id, id), eq(defences.kind, 'block')))
    .returning()

export const deleteExpiredDefences = (db: Database, now: Date) => db.delete(defences).where(lt(defences.expiresAt, now))

/** For a batch: the newest attacks. */
export const newestAttacks = (db: Database, limit: number) =>
  db.select().from(attacks).orderBy(desc(attacks.startedAt)).limit(limit)

/** A page of an export: the attacks before one, the newest first. */
export const attacksBefore = (db: Database, before: Attack | null, limit: number) =>
  db
    .select()
    .from(attacks)
    .where(
      before === null
        ? undefined
        : sql`(${attacks.startedAt}, ${attacks.id}) < (${before.startedAt.getTime()}, ${before.id})`,
    )
    .orderBy(desc(attacks.startedAt), desc(attacks.id))
    .limit(limit)

/** Attacks of a day that are recorded: an attacker with very many networks is one attack. */
export const maxAttacksPerDay = 500

const sameAttack = ({ key, startedAt }: Attack) => and(eq(attacks.key, key), gt(attacks.until, startedAt))!

/** For a batch: an attack that another isolate has seen continues; a new one begins. */
export const recordAttack = (db: Database, attack: Attack, dayBefore: Date): Statement[] => [
  insertWhere(
    db,
    attacks,
    attack,
    and(
      sql`not exists (select 1 from ${attacks} where ${sameAttack(attack)})`,
      fewerThan(attacks, gt(attacks.startedAt, dayBefore), maxAttacksPerDay),
    )!,
  ),
  db
    .update(attacks)
    .set({ until: sql`max(${attacks.until}, ${attack.until.getTime()})` })
    .where(sameAttack(attack)),
]

const others = alias(attacks, 'others')

/** Holds for a recorded attack within the daily number of announcements. */
const isAnnounced = ({ id }: Attack, dayBefore: Date, max: number): Condition =>
  and(
    eq(attacks.id, id),
    sql`(select count(*) from ${attacks} as others where ${gt(others.startedAt, dayBefore)}) <= ${max}`,
  )!

const { id, kind, network, asn, country, startedAt, until } = attacks

/** The row of a new attack, for webhooks. */
export const announcedAttack = (attack: Attack, dayBefore: Date, max: number): EventRows => ({
  subject: sql`${id}`,
  data: { attack: jsonOf({ id, kind, network, asn, country, startedAt, until }) },
  from: sql`${attacks}`,
  where: isAnnounced(attack, dayBefore, max),
})

export const deleteAttacksBefore = (db: Database, before: Date) =>
  db.delete(attacks).where(sql`${attacks.id} in (select ${attacks.id} from ${attacks}
    where ${attacks.startedAt} < ${before.getTime()} limit 1000)`)

export const withIds = (ids: readonly string[]) => inArray(sessions.id, [...ids])

/** A page of sessions in the order of their ids. */
export const sessionsAfter = (db: Database, id: string, limit: number) =>
  db
    .select({ id: sessions.id, ipAddress: sessions.ipAddress, createdAt: sessions.createdAt })
    .from(sessions)
    .where(gt(sessions.id, id))
    .orderBy(sessions.id)
    .limit(limit)
