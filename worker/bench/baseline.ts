import { WorkerEntrypoint } from 'cloudflare:workers'
import { scryptSync, timingSafeEqual } from 'node:crypto'
import { sign } from './baseline-cookie.ts'

// The lower bound of this machine: each response contains only the minimum work of an endpoint.

const answers: Record<string, (request: Request, env: { DB: D1Database }) => Promise<object> | object> = {
  '/constant': () => ({ ok: true }),
  '/cookie': (request) => {
    const [value = '', signature = ''] = (request.headers.get('cookie') ?? '').slice('baseline='.length).split('.')
    const expected = sign(value)
    const given = Buffer.from(signature, 'base64url')
    return { ok: given.length === expected.length && timingSafeEqual(given, expected) }
  },
  '/select': async (_request, { DB }) => {
    const row = await DB.prepare('select id from rows where id = ?').bind('17').first()
    return { ok: row !== null }
  },
  '/batch': async (_request, { DB }) => {
    const one = DB.prepare('select id from rows where id = ?').bind('17')
    const [first, second] = await DB.batch([one, one])
    return { ok: first!.results.length + second!.results.length === 2 }
  },
  '/update': async (_request, { DB }) => {
    const row = await DB.prepare('update rows set used = used + 1 where id = ? returning id').bind('17').first()
    return { ok: row !== null }
  },
  '/scrypt': () => {
    const key = scryptSync('correct horse', 'salt', 64, { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 })
    return { ok: key.length === 64 }
  },
}

/** The same statements for another Worker with a service binding. */
export class ServerApi extends WorkerEntrypoint<{ DB: D1Database }> {
  select() {
    return answers['/select']!(anonymous, this.env)
  }
  update() {
    return answers['/update']!(anonymous, this.env)
  }
}

const anonymous = new Request('http://baseline')

export default {
  async fetch(request, env) {
    const answer = answers[new URL(request.url).pathname]
    return answer ? Response.json(await answer(request, env)) : new Response(null, { status: 404 })
  },
} satisfies ExportedHandler<{ DB: D1Database }>
