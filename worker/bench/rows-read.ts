import deployment from '../index.ts'
import type { Env } from '../platform/env.ts'

// The Worker of `npm run bench -- --only scale`: the deployment, whose responses also say how many rows D1 has read.

export * from '../index.ts'

/** Counts what D1 reports of each result. `raw` reports nothing, so that a SELECT runs once more for its report. */
function counting(database: D1Database, count: (rows: number) => void): D1Database {
  const inner = new WeakMap<object, D1PreparedStatement>()
  const note = <R extends D1Result>(result: R): R => {
    count(result.meta.rows_read)
    return result
  }
  const prepared = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const counted = {
      bind: (...values: unknown[]) => prepared(statement.bind(...values), sql),
      all: async () => note(await statement.all()),
      run: async () => note(await statement.run()),
      raw: async () => {
        if (/^\s*(?:select|with)\b/i.test(sql)) note(await statement.all())
        return statement.raw()
      },
      first: async (column?: string) => {
        const [row] = note(await statement.all<Record<string, unknown>>()).results
        return row && column ? row[column] : (row ?? null)
      },
    } as unknown as D1PreparedStatement
    inner.set(counted, statement)
    return counted
  }
  const connection = (real: Pick<D1Database, 'prepare' | 'batch'>) => ({
    prepare: (sql: string) => prepared(real.prepare(sql), sql),
    batch: async (statements: D1PreparedStatement[]) =>
      (await real.batch(statements.map((one) => inner.get(one)!))).map(note),
  })
  return {
    ...connection(database),
    withSession(from: string) {
      const session = database.withSession(from)
      return { ...connection(session), getBookmark: () => session.getBookmark() }
    },
  } as unknown as D1Database
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    let rows = 0
    const counted = { ...env, DB: counting(env.DB, (more) => (rows += more)) }
    let answer: Response
    if (new URL(request.url).pathname === '/bench/scheduled') {
      const work: Promise<unknown>[] = []
      const own = { waitUntil: (promise: Promise<unknown>) => void work.push(promise) } as unknown as ExecutionContext
      deployment.scheduled({} as ScheduledController, counted, own)
      for (let at = 0; at < work.length; at++) await work[at]
      answer = Response.json({ success: true })
    } else answer = await deployment.fetch(request, counted, context)
    const shown = new Response(answer.body, answer)
    shown.headers.set('x-rows-read', String(rows))
    return shown
  },
} satisfies ExportedHandler<Env>
