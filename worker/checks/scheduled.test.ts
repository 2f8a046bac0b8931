import { describe, expect, it } from 'vitest'
import wrangler from '../../wrangler.toml?raw'
import { previousTables } from '../identity/jobs/previous-version.ts'
import { defaultRules } from '../identity/model/job-kind.ts'
import { minutes } from '../kit/time.ts'
import { env, TestApp } from '../testing/harness.ts'
import { alice, signIn, signUp } from '../testing/people.ts'

describe('what has expired', () => {
  it('is deleted, and nothing else', async () => {
    const app = new TestApp({ rateLimit: { storage: 'database' } })
    await signUp(app, alice)
    const device = await signIn(app, alice)
    await device.get('/ok')
    const { token } = (await device.get('/get-session')).body.session
    await env.DB.prepare('update sessions set expires_at = 1 where token <> ?').bind(token).run()
    await env.DB.prepare("insert into rate_limits values ('old', 1, 1, 1)").run()
    await env.DB.batch([
      env.DB.prepare(
        `insert into two_factors (id, user_id, confirmed, secret, backup_codes, created_at)
         select 'f', id, 1, 's', '[]', 1 from users`,
      ),
      env.DB.prepare(
        `insert into trusted_devices (token_hash, user_id, two_factor_id, security_version, created_at, expires_at)
         select 'gone', id, 'f', 0, 1, 1 from users union all select 'kept', id, 'f', 0, 1, 9e15 from users`,
      ),
    ])
    await app.runScheduled()
    const { results } = await env.DB.prepare('select token from sessions').all()
    expect(results).toEqual([{ token }])
    const trusted = await env.DB.prepare('select token_hash from trusted_devices').all()
    expect(trusted.results).toEqual([{ token_hash: 'kept' }])
    const counts = await env.DB.prepare('select key from rate_limits').all<{ key: string }>()
    expect(counts.results.map(({ key }) => key.split('|')[1]).sort()).toEqual(['/get-session', '/ok'])
  })
})

describe('the cron trigger', () => {
  it('comes as often as what has failed twice is due again: links live for an hour, and codes for five minutes', () => {
    const [, every] = /^crons = \["\* \* \* \* \*", "\*\/(\d+) \* \* \* \*"\]$/m.exec(wrangler) ?? []
    expect(minutes(Number(every))).toBeLessThanOrEqual(defaultRules.pauses[1]!)
  })
})

describe('what the cron trigger asks of D1', () => {
  it('reads no whole table, but for small ones: it comes every five minutes', async () => {
    // The first run after an upgrade stores the salt of pairwise subjects, which requires a read of every client.
    await new TestApp().runScheduled()
    const asked = new Set<string>()
    const noting = <T extends object>(connection: T): T =>
      new Proxy(connection, {
        get(target, key) {
          const value = Reflect.get(target, key) as unknown
          if (typeof value !== 'function') return value
          if (key === 'withSession') return (from: string) => noting(value.call(target, from))
          return (...given: unknown[]) => {
            if (key === 'prepare') asked.add(String(given[0]))
            return value.apply(target, given)
          }
        },
      })
    // The first run of a deployment stores the salt of pairwise subjects and reads the clients for it.
    await new TestApp().runScheduled()
    await new TestApp({}, { DB: noting(env.DB) }).runScheduled()
    const { results } = await env.DB.prepare("select name from sqlite_master where type = 'table'").all()
    const tables = new Set(results.map(({ name }) => name))
    const scanned = new Set<string>()
    for (const sql of asked) {
      const values = (sql.match(/\?/g) ?? []).map(() => 1)
      const plan = await env.DB.prepare(`explain query plan ${sql}`)
        .bind(...values)
        .all<{ detail: string }>()
      for (const { detail } of plan.results) {
        const [, table] = /^SCAN (\w+)/.exec(detail) ?? []
        if (table && tables.has(table)) scanned.add(table)
      }
    }
    // Tables of the previous version are empty, except after its last days. One image per user; keys; at most 200 resources; hourly counts, if D1 stores them.
    expect([...scanned].filter((table) => !previousTables.includes(table)).sort()).toEqual([
      'jwks',
      'oauth_resources',
      'rate_limits',
    ])
  })
})
