import deployment from '../index.ts'
import type { Env } from '../platform/env.ts'
import { type Metered, metering } from '../testing/metering.ts'

// The Worker of `npm run bench -- --only scale` and `-- --only writes`: the deployment, whose responses also have the reports of D1.

export * from '../index.ts'

const sum = (ran: readonly Metered[], kind: 'read' | 'written') => ran.reduce((total, one) => total + one[kind], 0)

/** What the statements of a request have written, by their verb and table. */
function writesOf(ran: readonly Metered[]): Record<string, number> {
  const writes: Record<string, number> = {}
  for (const { sql, written } of ran) {
    const [, verb = '', table = ''] = /\b(insert into|update|delete from) "?(\w+)/i.exec(sql) ?? []
    if (written > 0)
      writes[`${verb.split(' ')[0]} ${table}`] = (writes[`${verb.split(' ')[0]} ${table}`] ?? 0) + written
  }
  return writes
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const ran: Metered[] = []
    const counted = { ...env, DB: metering(env.DB, (one) => ran.push(one)) }
    const work: Promise<unknown>[] = []
    const waitUntil = (promise: Promise<unknown>) => {
      work.push(promise)
      context.waitUntil(promise)
    }
    const own = { waitUntil, passThroughOnException() {}, props: {} } as unknown as ExecutionContext
    const settled = async () => {
      for (let at = 0; at < work.length; at++) await work[at]
    }
    let answer: Response
    if (new URL(request.url).pathname === '/bench/scheduled') {
      deployment.scheduled({} as ScheduledController, counted, own)
      await settled()
      answer = Response.json({ success: true })
    } else answer = await deployment.fetch(request, counted, own)
    const shown = new Response(answer.body, answer)
    shown.headers.set('x-rows-read', String(sum(ran, 'read')))
    shown.headers.set('x-rows-written', String(sum(ran, 'written')))
    if (request.headers.has('x-bench-whole')) {
      await settled()
      shown.headers.set('x-writes', JSON.stringify(writesOf(ran)))
    }
    return shown
  },
} satisfies ExportedHandler<Env>
