import { expect, it, vi } from 'vitest'
import * as z from 'zod'
import { readConfig } from '../configuration/read-config.ts'
import { exampleOf } from '../features/api-reference/examples.ts'
import { type Endpoint, serverPermissionOf } from '../http/endpoint.ts'
import { contractOf } from '../http/feature.ts'
import { mergeOptions } from '../kit/options.ts'
import { servedFeatures } from '../rpc/served-features.ts'
import { administrator } from '../testing/admins.ts'
import { everything } from '../testing/cases.ts'
import { config } from '../testing/config.ts'
import { type Device, env, TestApp } from '../testing/harness.ts'
import { sample } from '../testing/sample.ts'
import { nodesOf, type SchemaNode } from '../testing/schema-bounds.ts'
import { backEnd } from '../testing/server-keys.ts'
import { deleteUsers } from '../testing/states.ts'

/** Numbers and dates of any size in every input: refused or answered, and never a fault. */

const settings = { ...everything, rateLimit: { enabled: false } }
const endpoints: Endpoint[] = servedFeatures(readConfig(mergeOptions(config, settings), env).options).flatMap(
  (feature) => Object.values(contractOf(feature)),
)

const numbers = [1e300, -1e300, -1, 0, 1.5, 2 ** 53 - 1, 2 ** 53 + 2, 'NaN', '1e300', 'Infinity']
const dates = [
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T00:00:00Z',
  '+275761-01-01T00:00:00Z',
]

const valuesFor = ({ type, patterns }: SchemaNode): readonly unknown[] => {
  if (type === 'number') return numbers
  return patterns.some(({ source }) => source.includes('-02-29')) ? dates : []
}

/** A valid value of the schema, as far as its form says. */
function validOf(schema: z.ZodType): object {
  const example = exampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as never)
  return typeof example === 'object' && example !== null ? example : {}
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const merged = (base: unknown, change: unknown): unknown =>
  isRecord(base) && isRecord(change)
    ? { ...base, ...Object.fromEntries(Object.entries(change).map(([key, value]) => [key, merged(base[key], value)])) }
    : change

it('never cause a fault', { timeout: 600_000 }, async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const app = new TestApp(settings, {}, false)
  const server = (await backEnd(app)).device
  let boss = (await administrator(app)).device
  const faults: string[] = []
  let sent = 0
  const send = async (device: Device, { method, path }: Endpoint, query: object, body: object) => {
    const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const to = path.replace(/:\w+/g, 'x')
    sent += 1
    return device.send(method, to, method === 'GET' ? undefined : body, { query: texts })
  }
  for (const endpoint of sample(endpoints, 60)) {
    for (const part of ['query', 'body'] as const) {
      const schema = endpoint.input?.[part]
      const nodes = schema ? nodesOf(schema).filter((node) => !node.isDerived && valuesFor(node).length > 0) : []
      for (const node of nodes) {
        for (const value of valuesFor(node)) {
          const given = merged(validOf(schema!), node.place(value)) as object
          const device = serverPermissionOf(endpoint) === null ? boss : server
          const answer = await send(device, endpoint, part === 'query' ? given : {}, part === 'body' ? given : {})
          const { status } = answer
          // Of billing: its provider does not answer in tests.
          const isDeclared = endpoint.errors.some(({ code }) => code === answer.body?.code)
          if (status >= 500 && !isDeclared)
            faults.push(`${endpoint.method} ${endpoint.path} ${part}${node.path} ${value}: ${status}`)
          // The call ended the session.
          if (status === 401 && device === boss) {
            await deleteUsers()
            boss = (await administrator(app)).device
          }
        }
      }
    }
  }
  expect(sent).toBeGreaterThan(100)
  expect(faults).toEqual([])
})
