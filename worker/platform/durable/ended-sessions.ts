import { DurableObject } from 'cloudflare:workers'
import { ms } from '../../kit/time.ts'
import { maxOutage } from '../circuit.ts'

/** What ended or changed after a place in the feed. */
export interface EndedSince {
  /** Unix time (ms) of this answer. */
  at: number
  /** The place of the newest entry of this answer; 0 without entries. */
  last: number
  /** Whether the feed has later entries than this answer. */
  more: boolean
  /** Ids of sessions, and other names, which contain a colon; the earliest first. */
  ids: string[]
  /** Unix time (ms): the feed has every entry that ends later. */
  completeFrom: number
}

/** What a reader needs. */
export interface EndedQuery {
  /** How much shorter (ms) the reader believes than entries are kept: it may miss the oldest of very many entries. */
  shorter: number
  /** The maximum number of entries of the answer. */
  limit: number
}

/** The maximum number of entries that are kept for an outage: an isolate that starts reads all of them. */
const keptForOutages = 100_000

/**
 * The feed of ended sessions: one object per deployment. An entry is kept as long as a cookie or a token from before
 * the end could be valid, and for `maxOutage` longer, because an outage extends cookies. Reading and writing without
 * `await` keeps the places of entries in the order of their writes.
 */
export class EndedSessions extends DurableObject {
  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    this.ctx.storage.sql.exec(`
      create table if not exists ended (place integer primary key autoincrement, id text not null unique, until integer not null);
      create index if not exists ended_until on ended (until);
      create table if not exists deleted (until integer not null)`)
  }

  /** Adds sessions, each of them once. @param keep ms */
  async add(ids: readonly string[], keep: number): Promise<void> {
    const until = Date.now() + keep
    this.ctx.storage.sql.exec(
      'insert or ignore into ended (id, until) select value, ? from json_each(?)',
      until,
      JSON.stringify(ids),
    )
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(until)
  }

  /** @param place entries after it; a place that this feed never had returns all entries */
  since(place: number, { shorter = 0, limit = -1 }: Partial<EndedQuery> = {}): EndedSince {
    const { sql } = this.ctx.storage
    const now = Date.now()
    const { count, newest } = sql
      .exec<{ count: number; newest: number }>('select count(*) as count, coalesce(max(place), 0) as newest from ended')
      .one()
    const deleted = sql.exec<{ until: number | null }>('select max(until) as until from deleted').one()
    const isShortened = count > keptForOutages && shorter > 0
    const rows = sql
      .exec<{ place: number; id: string }>(
        'select place, id from ended where place > ? and until > ? order by place limit ?',
        place > newest ? 0 : place,
        isShortened ? now + shorter : 0,
        limit,
      )
      .toArray()
    const last = rows.length === limit ? rows.at(-1)!.place : newest
    return {
      at: now,
      last,
      more: last < newest,
      ids: rows.map(({ id }) => id),
      completeFrom: Math.max(deleted.until ?? 0, isShortened ? now : 0),
    }
  }

  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage
    const { count } = sql.exec<{ count: number }>('select count(*) as count from ended').one()
    const limit = Date.now() - (count > keptForOutages ? 0 : ms(maxOutage))
    const { until } = sql
      .exec<{ until: number | null }>('select max(until) as until from ended where until <= ?', limit)
      .one()
    if (until !== null) {
      sql.exec('delete from ended where until <= ?', limit)
      sql.exec('delete from deleted')
      sql.exec('insert into deleted (until) values (?)', until)
    }
    const { next } = sql.exec<{ next: number | null }>('select min(until) as next from ended').one()
    // Entries of the same minute are deleted together.
    if (next !== null) await this.ctx.storage.setAlarm(Math.max(next, Date.now()) + 60_000)
  }
}
