import { DurableObject } from 'cloudflare:workers'
import { ms } from '../../kit/time.ts'
import { maxOutage } from '../circuit.ts'

/** The sessions that ended after a place in the feed. */
export interface EndedSince {
  /** Unix time (ms) of this answer. */
  at: number
  /** The place of the newest entry; 0 without entries. */
  last: number
  /** Ids of sessions, the earliest end first. */
  ids: string[]
  /** Unix time (ms): the feed has every entry that ends later. */
  completeFrom: number
}

/** The maximum number of entries that are kept for an outage: an isolate that starts reads all of them. */
const keptForOutages = 100_000

/**
 * The feed of ended sessions: one object per deployment. An entry is kept as long as a session data cookie from before
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
  since(place: number): EndedSince {
    const { sql } = this.ctx.storage
    const { last } = sql.exec<{ last: number }>('select coalesce(max(place), 0) as last from ended').one()
    const after = place > last ? 0 : place
    const rows = sql.exec<{ id: string }>('select id from ended where place > ? order by place', after)
    const deleted = sql.exec<{ until: number | null }>('select max(until) as until from deleted').one()
    return { at: Date.now(), last, ids: rows.toArray().map(({ id }) => id), completeFrom: deleted.until ?? 0 }
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
