/** A statement that ran, and what D1 reports of it. */
export interface Metered {
  sql: string
  values: readonly unknown[]
  read: number
  written: number
}

/** A statement that failed has no report. */
type Report = Partial<Pick<D1Result, 'meta'>>
type Send = (endpoint: string, sql: unknown, values: unknown, ...rest: unknown[]) => Promise<Report | Report[]>

/**
 * A binding of D1 that notes the report of each statement. D1's client returns none for `raw`, which drizzle calls: the
 * reports come from the method of the client through which every statement goes.
 * @throws if the client has no such method
 */
export function metering(database: D1Database, note: (one: Metered) => void): D1Database {
  const metered = <S extends object>(session: S): S => {
    const { _send: send } = session as { _send?: Send }
    if (!send) throw new Error('The client of D1 has changed: testing/metering.ts reads its reports.')
    return Object.assign(session, {
      async _send(this: unknown, endpoint: string, sql: unknown, values: unknown, ...rest: unknown[]) {
        const sent = await send.call(this, endpoint, sql, values, ...rest)
        const isBatch = Array.isArray(sql)
        for (const [at, { meta }] of [sent].flat().entries()) {
          note({
            sql: String(isBatch ? sql[at] : sql),
            values: (isBatch ? (values as unknown[][])[at] : (values as unknown[])) ?? [],
            read: meta?.rows_read ?? 0,
            written: meta?.rows_written ?? 0,
          })
        }
        return sent
      },
    })
  }
  return new Proxy(database, {
    get(target, key) {
      if (key === 'withSession') return (from: string) => metered(target.withSession(from))
      const value = Reflect.get(target, key) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
