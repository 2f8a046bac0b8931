import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_splitSqlQuery as splitSqlQuery } from 'wrangler'

/** The result of a statement, as `wrangler d1 execute` prints it. */
export type Printed = { results: unknown[]; success: boolean; meta: { duration: number } }

export interface D1Server {
  url: string
  close(): Promise<void>
}

/**
 * The D1 databases of an account, local and remote, for `wrangler-account.ts`. It runs SQL as `wrangler d1 execute
 * --local` does: one batch in Miniflare. wrangler takes two seconds to start; this takes milliseconds for each call.
 */
export async function startD1(): Promise<D1Server> {
  const d1Databases = { local: 'local', remote: 'remote' }
  const miniflare = new Miniflare(convertV4MiniflareOptions({ modules: true, script: '', d1Databases }))
  await miniflare.ready
  const server = createServer(async (request, response) => {
    const database = await miniflare.getD1Database(request.url!.slice(1))
    const sql = splitSqlQuery(await text(request))
    try {
      const done = await database.batch(sql.map((one) => database.prepare(one)))
      const printed: Printed[] = done.map(({ results, success, meta: { duration } }) => ({
        results: results ?? [],
        success,
        meta: { duration },
      }))
      response.end(JSON.stringify(printed))
    } catch (thrown) {
      const { cause, message } = thrown as Error
      response.writeHead(400).end(cause instanceof Error ? cause.message : message)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await miniflare.dispose()
    },
  }
}
