import { env } from './harness.ts'

/** A database that notes what is asked of it, and the rows that each statement reads. */
export function noting() {
  const asked: { sql: string; read: number }[] = []
  const note = <T extends object>(connection: T): T =>
    new Proxy(connection, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown
        if (typeof value !== 'function') return value
        if (key === 'withSession') return (from: string) => note(value.call(target, from))
        if (key === 'batch')
          return async (statements: D1PreparedStatement[]) => {
            const results = (await value.call(target, statements)) as D1Result[]
            results.forEach(({ meta }, n) => {
              asked.push({ sql: written.get(statements[n]!) ?? '', read: meta.rows_read })
            })
            return results
          }
        if (key === 'prepare') return (sql: string) => noteStatement(value.call(target, sql), sql)
        return value.bind(target)
      },
    })
  const written = new WeakMap<object, string>()
  function noteStatement(statement: D1PreparedStatement, sql: string): D1PreparedStatement {
    written.set(statement, sql)
    const bind = statement.bind.bind(statement)
    statement.bind = (...values) => noteStatement(bind(...values), sql)
    return statement
  }
  return { asked, db: note(env.DB) }
}
