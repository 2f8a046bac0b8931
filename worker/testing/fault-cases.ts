import { expect, vi } from 'vitest'
import { mergeOptions } from '../kit/options.ts'
import { allCases, declaredEndpoints, type FaultCase, featureFolders, operationOf } from './cases.ts'
import { type Fault, FaultInjector } from './faults.ts'
import { type Answer, type Device, env, TestApp } from './harness.ts'
import type { Person } from './people.ts'
import { sample } from './sample.ts'
import { newPerson } from './set-ups.ts'

/** The cases of all features by name, each with the settings that it needs. */
export const faultCases = featureFolders.flatMap(({ cases, config }) =>
  cases.flatMap(({ faults = {} }) =>
    Object.entries(faults).map(([name, one]): [string, FaultCase] => [
      name,
      { ...one, config: mergeOptions(config, one.config ?? {}) },
    ]),
  ),
)

/** Expects consistent data. */
export async function expectWhole(): Promise<void> {
  const queries = allCases.flatMap(({ inconsistent = {} }) => Object.entries(inconsistent))
  const found = await env.DB.batch(queries.map(([, query]) => env.DB.prepare(query)))
  expect(queries.filter((_, at) => found[at]!.results.length > 0).map(([name]) => name)).toEqual([])
}

const sessionsIn = ({ cookies }: Answer) =>
  cookies.filter((line) => line.includes('session_token=') && !line.includes('Max-Age=0'))

/** The number of the last audit record. */
const lastRecord = async () => (await env.DB.prepare('select max(seq) as n from audit_records').first<number>('n')) ?? 0

/** The call of a case. @param given of its set-up */
export function call(
  { endpoint, input = (given) => given, headers }: FaultCase,
  device: Device,
  person: Person,
  given: unknown,
): Promise<Answer> {
  const [method, path] = endpoint.split(' ') as ['GET' | 'POST', string]
  const fields = input(given as never, person)
  return method === 'GET'
    ? device.get(path, { query: fields as Record<string, string>, ...(headers && { headers }) })
    : device.post(path, fields, headers && { headers })
}

/**
 * A use case in which one I/O call fails. Lets each call fail before and after its execution, a call that only reads once,
 * with the errors of the platform in turn. Expects a success, or a 503 that sets no session. The user can retry, and the
 * data stays consistent. After a failure that left everything unchanged, the next one begins with the same user, because
 * the set-up takes longer than the use case.
 */
export async function expectSound(one: FaultCase): Promise<void> {
  const { endpoint, before, afterwards = [], mails = false, config } = one
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const faults = new FaultInjector()
  const app = new TestApp({ ...config, rateLimit: { enabled: false } }, faults.bindings(), false)
  const prepare = async () => {
    const person = newPerson()
    return { person, ...(await before(app, person)) }
  }
  type Prepared = Awaited<ReturnType<typeof prepare>>
  const run = async ({ device, person, given }: Prepared, fault: Fault | null) => {
    if (fault) faults.arm(fault)
    else faults.watch()
    const answer = await call(one, device, person, given)
    const [calls, reads, wrote] = [[...faults.calls], [...faults.reads], faults.wrote]
    faults.watch()
    return { answer, calls, reads, wrote }
  }
  const first = await prepare()
  const earlier = await lastRecord()
  const { answer: plain, calls, reads } = await run(first, null)
  expect(plain.status, JSON.stringify(plain.body)).toBeLessThan(400)
  const declared = declaredEndpoints.find((one) => operationOf(one) === endpoint)!
  if (declared.audit) expect(await lastRecord(), 'audit records').toBeGreaterThan(earlier)

  const all = reads.flatMap((isRead, at): Fault[] => [
    { at: at + 1, when: 'before' },
    ...(isRead ? [] : [{ at: at + 1, when: 'after' } as const]),
  ])
  const attempts = sample(all, 3)
  let prepared: Prepared | null = null
  for (const [n, { at, when }] of attempts.entries()) {
    const what = `${calls[at - 1]} (${at} of ${calls.length}) fails ${when} it was done`
    prepared ??= await prepare()
    const { person, device, given } = prepared
    const { answer, wrote } = await run(prepared, { at, when })
    const told = answer.headers.get('location')?.match(/[?&]error=([^&]*)/)?.[1]
    // An authorization request returns the error in the redirect to its client (RFC 6749, section 4.1.2.1).
    expect(['server_error', undefined], what).toContain(told)
    const failed = answer.status >= 400 || told
    if (failed) {
      if (!told) {
        expect({ what, status: answer.status, body: answer.body }).toEqual({
          what,
          status: 503,
          body: { code: 'UNAVAILABLE', message: expect.any(String) },
        })
        expect(answer.headers.get('retry-after'), what).toBe('5')
      }
      expect({ what, sessions: sessionsIn(answer) }).toEqual({ what, sessions: [] })
    }
    // Nothing has changed: the next failure meets the same state, and the repetition after it repeats this one too.
    if (failed && !wrote && !mails && attempts[n + 1]?.when === 'before') continue
    if (failed) {
      const again = await call(one, device, person, given)
      const code =
        again.headers.get('location')?.match(/[?&]error=([^&]*)/)?.[1] ?? again.body?.code ?? again.body?.error
      if (again.status >= 400 || code)
        expect([...afterwards, undefined], `${what}; then ${again.status}`).toContain(code)
      if (when === 'before')
        expect({ what, succeeded: again.status < 400 && !code, body: again.body }).toEqual({
          what,
          succeeded: true,
          body: again.body,
        })
    }
    if (mails)
      expect({ what, mails: (await app.mailbox()).map(({ to }) => to) }).toEqual({
        what,
        mails: expect.arrayContaining([person.email]),
      })
    prepared = null
  }
  // The users of all attempts are still there.
  await app.runScheduled()
  await expectWhole()
  vi.restoreAllMocks()
}
