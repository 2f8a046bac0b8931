import { beforeEach, describe, expect, it, vi } from 'vitest'
import { auditContextOf } from '../http/audit.ts'
import { changesPerRecord } from '../identity/audit/audit-budget.ts'
import { securityLogOptions } from '../identity/audit/security-log.config.ts'
import type { Allowance } from '../identity/model/audit-context.ts'
import { mergeOptions } from '../kit/options.ts'
import { dayOf } from '../kit/time.ts'
import { declaredEndpoints, type FaultCase, featureFolders, operationOf } from '../testing/cases.ts'
import { type Answer, type Device, env, TestApp } from '../testing/harness.ts'
import { rowCounts } from '../testing/rows.ts'
import { sample } from '../testing/sample.ts'
import { newPerson } from '../testing/set-ups.ts'

/**
 * What an actor can create in a day is bounded: the requests of the fault tests, by actors who have reached the daily
 * maximum of changes, create nothing. A new endpoint has a fault case, and so this test.
 */

/** Cases that sign in or authenticate again, or that prove the password. Their maximum is higher, so that changes lock no user out. */
const higher: Readonly<Record<string, Allowance>> = {
  'an unverified account passes to the user of Cloudflare Access': 'sign-in',
  'a passkey after a password': 'sign-in',
  'change of password': 'proven',
  'change of password, other sessions revoked': 'proven',
  'magic link to an unverified account': 'sign-in',
  'sign-in': 'sign-in',
  'sign-in with a hash that was imported, which becomes our own': 'sign-in',
  'sign-in with a name': 'sign-in',
  'sign-in with a number and a password': 'sign-in',
  'sign-in with a passkey': 'sign-in',
  'step-up by a mailed code': 'sign-in',
  'step-up by passkey': 'sign-in',
  'step-up by password': 'sign-in',
  'verification by code': 'sign-in',
}

/** The code in the redirect of a protocol that has its own. */
const redirected: Readonly<Record<string, string>> = {
  'magic link to an unverified account': 'failed_to_create_session',
}

/** Cases in which the created user is the actor: the limits of the address bound them (growth-bounds.test.ts). */
const ofNewUser = [
  'an address after a provider that returns none',
  'guest',
  'magic link',
  'sign-in by code',
  'sign-up',
  'sign-up through Cloudflare Access',
  'sign-up with a number',
]

const cases = featureFolders.flatMap(({ cases, config }) =>
  cases.flatMap(({ faults = {} }) =>
    Object.entries(faults).map(([name, one]): [string, FaultCase] => [
      name,
      { ...one, config: mergeOptions(config, one.config ?? {}) },
    ]),
  ),
)

function allowanceOf(name: string, { endpoint }: FaultCase): Allowance | null {
  const declared = declaredEndpoints.find((one) => operationOf(one) === endpoint)!
  if (!declared.audit || ofNewUser.includes(name)) return null
  return higher[name] ?? auditContextOf(declared).allowance
}

const bounded = cases.flatMap(([name, one]) => {
  const allowance = allowanceOf(name, one)
  return allowance === null ? [] : [[name, { ...one, allowance }] as const]
})

/** Each actor has so many changes left. */
async function leave(left: number, allowance: Allowance, { ip }: Device): Promise<void> {
  const { auditPerActor, auditPerAddress, auditPerGuest, auditPerOrganization } = securityLogOptions.defaults
  const parties: [parties: string, budget: number][] = [
    ["select 'user:' || id as party from users where not is_anonymous", auditPerActor],
    ["select 'user:' || id as party from users where is_anonymous", auditPerGuest],
    ["select 'client:' || id as party from users", auditPerActor],
    ["select 'client:' || client_id as party from oauth_applications", auditPerActor],
    ["select 'administrator:' || id as party from users", auditPerOrganization],
    ["select 'server-key:' || id as party from server_keys", auditPerOrganization],
    ["select 'directory:' || id as party from connections", auditPerOrganization],
    [`select 'visitor:${ip}' as party`, auditPerAddress],
  ]
  const [day, factor] = [dayOf(new Date()), changesPerRecord[allowance]]
  await env.DB.batch(
    parties.map(([select, budget]) =>
      env.DB.prepare(
        `insert or replace into audit_budgets (party, day, effects, left_out) select party, ?, ?, 0 from (${select})`,
      ).bind(day, budget * factor - left),
    ),
  )
}

/** The maximum is counted in one table, refusals are recorded in the sign-in log, and keys of the deployment are made once. */
const logs = ['audit_budgets', 'security_events', 'jwks', 'stored_secrets']

/** Tables with a new row. */
const grown = (before: Record<string, number>, after: Record<string, number>) =>
  Object.keys(after).filter((name) => after[name]! > before[name]! && !logs.includes(name))

/** The code of an answer, or of the redirect to a page. */
const codeOf = ({ body, headers }: Answer): string | null =>
  headers.get('location')?.match(/[?&]error=([^&]*)/)?.[1] ?? body?.code ?? body?.error ?? null

beforeEach(() => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

describe('a request of an actor at the daily maximum', () => {
  it('has a case for most endpoints', () => {
    expect(bounded.length).toBeGreaterThan(90)
    const names = cases.map(([name]) => name)
    expect([...Object.keys(higher), ...ofNewUser].filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(sample(bounded, 12))(
    '%s',
    async (name, { endpoint, before, input = (given: never) => given, headers, allowance, config = {} }) => {
      const [method, path] = endpoint.split(' ') as ['GET' | 'POST', string]
      const app = new TestApp(mergeOptions(config, { rateLimit: { enabled: false } }), {}, false)
      const begin = async () => {
        const person = newPerson()
        const { device, given } = await before(app, person)
        const fields = input(given as never, person)
        const act = () =>
          method === 'GET'
            ? device.get(path, { query: fields as Record<string, string>, ...(headers && { headers }) })
            : device.post(path, fields, headers && { headers })
        return { device, act }
      }
      const { device, act } = await begin()
      await leave(0, allowance, device)
      const start = await rowCounts()
      const refused = await act()
      expect({ code: codeOf(refused), created: grown(start, await rowCounts()) }).toEqual({
        code: redirected[name] ?? 'TOO_MANY_REQUESTS',
        created: [],
      })
      // A request may have several records.
      await leave(5, allowance, device)
      const accepted = await act()
      if (accepted.status < 400) return
      // The refusal has used a code.
      const other = await begin()
      await leave(5, allowance, other.device)
      const { status, body } = await other.act()
      expect(status, JSON.stringify(body)).toBeLessThan(400)
    },
  )
})
