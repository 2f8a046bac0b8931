import { isNotNull, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../platform/personal-rows.ts'
import type { ActorType, AuditValues } from '../model/audit-context.ts'

/**
 * One record for each effect of a request, written in the batch of the effect. It has no foreign keys, so that it
 * outlives what it names.
 */
export const auditRecords = sqliteTable(
  'audit_records',
  {
    /** The number in the deployment. AUTOINCREMENT never gives a number twice: a deleted record leaves a gap. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** The path of an endpoint with dots (`organization.update`), or the name of an administrator's action. */
    action: text().notNull(),
    actorType: text('actor_type').$type<ActorType>().notNull(),
    /** See AuditActor. */
    actorId: text('actor_id'),
    actorVia: text('actor_via'),
    onBehalfOf: text('on_behalf_of'),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id'),
    organizationId: text('organization_id'),
    /** The number in the organization, from 1. */
    organizationSeq: integer('organization_seq'),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    requestId: text('request_id'),
    before: text({ mode: 'json' }).$type<AuditValues>().notNull().default(sql`'{}'`),
    after: text({ mode: 'json' }).$type<AuditValues>().notNull().default(sql`'{}'`),
    /** The links of both chains, SHA-256 in hexadecimal; null until the cron trigger seals the record. */
    hash: text(),
    organizationHash: text('organization_hash'),
  },
  (table) => [
    index('audit_records_subject').on(table.subjectId),
    // Most records are about their actor: the index of subjects has those.
    index('audit_records_actor').on(table.actorId).where(sql`${table.actorId} is not ${table.subjectId}`),
    uniqueIndex('audit_records_organization')
      .on(table.organizationId, table.organizationSeq)
      .where(isNotNull(table.organizationId)),
  ],
)

/** As the index of actors has it. */
export const isOfAnother = sql`${auditRecords.actorId} is not ${auditRecords.subjectId}`

export type AuditRecord = typeof auditRecords.$inferSelect

/** Deleted users whose personal data the records up to a number lose. */
export const auditErasures = sqliteTable(
  'audit_erasures',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: text('user_id').notNull(),
    /** The last record that can name the user. */
    untilSeq: integer('until_seq').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('audit_erasures_user').on(table.userId)],
)

export type AuditErasure = typeof auditErasures.$inferSelect

export const auditPersonalData = {
  auditErasures: personalRows(auditErasures, auditErasures.userId),
  auditRecords: personalRows(auditRecords, auditRecords.subjectId, [
    ...(['actorId', 'actorVia', 'onBehalfOf', 'ipAddress', 'userAgent', 'requestId'] as const),
    ...(['organizationSeq', 'hash', 'organizationHash'] as const),
  ]),
}

/** The state of each chain: of the deployment (the empty name), and of each organization (its id). */
export const auditChains = sqliteTable(
  'audit_chains',
  {
    chain: text().primaryKey(),
    /** The last sealed record. */
    sealedSeq: integer('sealed_seq').notNull(),
    sealedHash: text('sealed_hash').notNull(),
    /** The last record that the retention deleted; 0 and empty for none. */
    deletedSeq: integer('deleted_seq').notNull().default(0),
    deletedHash: text('deleted_hash').notNull().default(''),
    /** When the next checkpoint is due; null: no record was sealed since the last one. */
    checkpointDue: integer('checkpoint_due', { mode: 'timestamp_ms' }),
  },
  (table) => [index('audit_chains_checkpoint').on(table.checkpointDue).where(isNotNull(table.checkpointDue))],
)

export type AuditChain = typeof auditChains.$inferSelect

/** Signed states of the chains, see kit/audit-checkpoint.ts. */
export const auditCheckpoints = sqliteTable(
  'audit_checkpoints',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    chain: text().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** A compact JWS. */
    token: text().notNull(),
  },
  (table) => [index('audit_checkpoints_chain').on(table.chain, table.createdAt)],
)
