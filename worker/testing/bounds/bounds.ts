import { getTableColumns } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Config } from '../../configuration/read-config.ts'
import { changesPerRecord } from '../../identity/audit/audit-budget.ts'
import { securityLogOptions } from '../../identity/audit/security-log.config.ts'
import { hmac } from '../../kit/hash.ts'
import { dayOf } from '../../kit/time.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import { secretOfNames } from '../../platform/test-clock.ts'
import { declaredEndpoints, type Operation, operationOf } from '../cases.ts'
import { type Answer, type Device, env, type TestApp } from '../harness.ts'
import { type NewRow, type TableName, tables } from '../rows.ts'

/** A bound on what a request can create, for growth-bounds.test.ts. */
export interface Bound {
  /** The creator and the request. */
  by: string
  /** The maximum, from the code that enforces it. */
  max: number
  /** What the maximum counts. */
  per: string
  config?: Config
  environment?: Record<string, string>
  /** The bound is a limit of the path, which the other rows switch off. */
  ofPath?: true
  /** Brings the creator to `have` of them. @returns the request for the n-th one more */
  reach(app: TestApp, have: number): Promise<(n: number) => Promise<Pick<Answer, 'status' | 'body'>>>
  /** The accepted requests of the test create nothing, because they have no valid signature or session. */
  grows?: false
  /** The status of a request that creates one, if not below 400. */
  status?: number
  /**
   * The refusal of the request beyond the maximum, which creates nothing; or `none`: the request succeeds, and the number
   * stays the same, because the oldest goes, it replaces the only one, or it is left out.
   */
  beyond: { status: number; code: string } | 'none'
}

/** Ways to create something, or the reason for which no request creates it. */
export type Bounds = Readonly<Record<string, readonly Bound[] | string>>

/** The refusal of limits and daily maximums. */
export const tooMany = { status: 429, code: 'TOO_MANY_REQUESTS' }

const { auditPerActor, auditPerAddress, auditPerGuest, auditPerOrganization } = securityLogOptions.defaults

/** Changes of an actor in a day. */
export const daily = {
  user: auditPerActor * changesPerRecord.change,
  proven: auditPerActor * changesPerRecord.proven,
  signIn: auditPerActor * changesPerRecord['sign-in'],
  client: auditPerActor * changesPerRecord.change,
  guest: auditPerGuest * changesPerRecord.change,
  address: auditPerAddress * changesPerRecord.change,
  bulk: auditPerOrganization * changesPerRecord.change,
}

/** The actor has made so many changes today. */
export async function spendDay(party: string, effects: number): Promise<void> {
  await env.DB.prepare('insert or replace into audit_budgets (party, day, effects, left_out) values (?, ?, ?, 0)')
    .bind(party, dayOf(new Date()), effects)
    .run()
}

/** A counter has counted so many hits. */
export async function spendCounter(key: string, { window, ...rule }: CounterRule, hits: number): Promise<void> {
  const name = hmac(secretOfNames(env.GATEHOUSE_SECRET!), `counter:${key}`)
  if (hits > 0) await env.COUNTER.getByName(name).hit({ ...rule, max: hits, window, by: hits })
}

/** Writes copies of a row. A `#` in a text is the number of the copy, from 1. */
export async function insertCopies<T extends TableName>(name: T, count: number, row: NewRow<T>): Promise<void> {
  if (count <= 0) return
  const table = tables[name]
  const { sql, params } = drizzle(env.DB).insert(table).values(row).toSQL()
  const [head, values] = sql.split(' values ') as [string, string]
  let at = 0
  const selected = values.slice(1, -1).replaceAll('?', () => {
    const value = params[at++]
    return typeof value === 'string' && value.includes('#') ? `replace(?, '#', n)` : '?'
  })
  await env.DB.prepare(
    `${head} select ${selected} from (with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${count}) select n from copies)`,
  )
    .bind(...params)
    .run()
}

/** The columns of a table, for rows that tests write. */
export const columnsOf = (name: TableName) => Object.keys(getTableColumns(tables[name]))

/** The limit of an endpoint per address, in its window. */
export const limitOf = (operation: Operation): CounterRule =>
  declaredEndpoints.find((one) => operationOf(one) === operation && one.limits?.rate)!.limits!.rate!

/** Requests of one address to a path with a limit. @param prepare @returns the n-th request, from the device of an address */
export const perPath = (
  operation: Operation,
  prepare: (app: TestApp, ip: string) => Promise<(n: number) => Promise<Answer>> | ((n: number) => Promise<Answer>),
  more: Partial<Bound> = {},
): Bound => ({
  by: `an address: ${operation}`,
  max: limitOf(operation).max,
  per: `address and ${limitOf(operation).window} s`,
  ofPath: true,
  beyond: tooMany,
  async reach(app, have) {
    const { ip } = app.device()
    const request = await prepare(app, ip)
    await spendCounter(`rate:${ip}|${operation.split(' ')[1]}`, limitOf(operation), have)
    return request
  },
  ...more,
})

/** The same request again and again. */
export const always = (request: () => Promise<Answer>) => () => request()

export const post =
  (device: Device, path: string, body: (n: number) => object = () => ({})) =>
  (n: number): Promise<Answer> =>
    device.post(path, body(n))

const dayAgo = () => new Date(Date.now() - 1000)
/** Times of a row that a test writes. */
export const written = () => ({ createdAt: dayAgo(), updatedAt: dayAgo() })
