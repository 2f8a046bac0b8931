import { DurableObject } from 'cloudflare:workers'

/** The sessions that ended after a place in the feed. */
export interface EndedSince {
  /** Unix time (ms) of this answer. */
  at: number
  /** The place of the newest entry; 0 without entries. */
  last: number
  /** Ids of sessions, the earliest end first. */
  ids: string[]
}

/**
 * The feed of ended sessions: one object per deployment. An entry is kept as long as a session data cookie from before
 * the end could be valid. Reading and writing without `await` keeps the places of entries in the order of their writes.
 */
export class EndedSessions extends DurableObject {
  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    this.ctx.storage.sql.exec(`
      create table if not exists ended (place integer primary key autoincrement, id text not null unique, until integer not null);
      create index if not exists ended_until on ended (until)`)
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
    return { at: Date.now(), last, ids: rows.toArray().map(({ id }) => id) }
  }

  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage
    sql.exec('delete from ended where until <= ?', Date.now())
    const { next } = sql.exec<{ next: number | null }>('select min(until) as next from ended').one()
    // Entries of the same minute are deleted together.
    if (next !== null) await this.ctx.storage.setAlarm(next + 60_000)
  }
}
