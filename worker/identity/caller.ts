import type { SQL } from 'drizzle-orm'
import type { Statement } from '../platform/statements.ts'
import type { Session } from './sessions/sessions.table.ts'
import type { User } from './users/users.table.ts'

/** Who is calling, and how they showed it. */
export interface Caller {
  session: Session
  user: User
  via: 'cookie' | 'bearer' | 'api-key'
}

/**
 * Whether the session is the person's own, interactive one: not that of an API key, nor of an administrator who acts
 * as somebody else. For who may call what, http/edge/require-access.ts alone asks this.
 */
export const isOwnSession = ({ via, session }: Caller): boolean => via !== 'api-key' && !session.impersonatedBy

/** The caller's own, as parts of statements that run together with the one that tells who is calling. */
export interface Own {
  userId: SQL<string>
  /** A column of the session; empty where there is none. */
  ofSession<K extends keyof Session>(column: K): SQL<Session[K] | null>
}

/**
 * What a request says about who is calling, before anything is read: a signed token, a key. It becomes a caller by
 * one read, by itself or as the first statement of the batch that also reads the answer.
 */
export interface Claim {
  /** Made when it is asked for, like the statements: most claims are read by themselves. */
  readonly own: Own
  /** Whose claim it is, by itself. */
  find(): Promise<Caller | null>
  /** The same for a batch, and what the results tell. Empty where nothing need be read to know that it is false. */
  readonly statements: readonly Statement[]
  accept(results: readonly unknown[]): Caller | null | Promise<Caller | null>
}
