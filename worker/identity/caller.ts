import type { SQL } from 'drizzle-orm'
import type { KeyAccess } from '../kit/key-access.ts'
import type { Permissions } from '../kit/permissions.ts'
import type { Database } from '../platform/database.ts'
import { type Reads, type Rows, read } from '../platform/statements.ts'
import type { Session } from './model/sessions.table.ts'
import type { User } from './model/users.table.ts'

/** The authenticated caller, and how they authenticated. */
export interface Caller {
  session: Session
  user: User
  via: 'cookie' | 'bearer' | 'api-key'
  /** The API key that opened the session; only if `via` is `api-key`. */
  key?: CallerKey
}

/** The API key of a session. */
export interface CallerKey {
  id: string
  access: KeyAccess
  permissions: Permissions | null
}

/**
 * Whether the session is the user's own, interactive one: not the session of an API key or of an impersonation. Only
 * http/edge/require-access.ts uses it to decide about access.
 */
export const isOwnSession = ({ via, session }: Caller): boolean => via !== 'api-key' && !session.impersonatedBy

/** The administrator who impersonates the user of a session; null in the user's own session. */
export const actorOf = ({ impersonatedBy }: Pick<Session, 'impersonatedBy'>): string | null => impersonatedBy

/** Ids of the caller as expressions, for statements that run in the same batch as the reads of the claim. */
export interface Own {
  userId: SQL<string>
  /** A column of the session; null without a session. */
  ofSession<K extends keyof Session>(column: K): SQL<Session[K] | null>
  /** The id of the user for a query whose SQL is written once: an object for each kind of claim, and its values. */
  readonly cached: { readonly userId: SQL; readonly values: Readonly<Record<string, unknown>> }
}

/**
 * A signed token or a key that identifies the caller. Reads turn it into a caller, and other reads can run in the same
 * batch.
 */
export interface Claim<R extends Reads = Reads> {
  readonly own: Own
  /** The reads that decide the claim. Empty for a claim that is rejected without a read. */
  readonly reads: R
  accept(rows: Rows<R>): Caller | null | Promise<Caller | null>
}

/** Infers the types of the rows from the reads. */
export const defineClaim = <R extends Reads>(claim: Claim<R>): Claim => claim

export const acceptClaim = async (db: Database, claim: Claim): Promise<Caller | null> =>
  claim.accept(await read(db, claim.reads))
