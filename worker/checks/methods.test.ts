import { expect, it, vi } from 'vitest'
import { readConfig } from '../configuration/read-config.ts'
import { isForAdministrators, serverPermissionOf } from '../http/endpoint.ts'
import { contractOf } from '../http/feature.ts'
import { mergeOptions } from '../kit/options.ts'
import { servedFeatures } from '../rpc/served-features.ts'
import { administrator } from '../testing/admins.ts'
import { everything } from '../testing/cases.ts'
import { config } from '../testing/config.ts'
import { env, TestApp } from '../testing/harness.ts'
import { someone } from '../testing/organizations.ts'
import { sample } from '../testing/sample.ts'
import { backEnd } from '../testing/server-keys.ts'

/** Methods that a path does not have, and unexpected bodies, for every path: no fault. */

const settings = { ...everything, rateLimit: { enabled: false } }
const endpoints = servedFeatures(readConfig(mergeOptions(config, settings), env).options).flatMap((feature) =>
  Object.values(contractOf(feature)),
)

const deep = `${'['.repeat(200)}1${']'.repeat(200)}`
const bodies = [
  ...['', 'null', '[]', '5', '"x"', '{', '{"__proto__":{"a":1}}', deep, `{"a":"${'x'.repeat(5000)}"}`],
  ...['{"userId":null,"id":{},"email":[],"data":1}', '{"id":"\\u0000","code":"\\ud800","token":true}'],
]

it('never cause a fault', async () => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  const app = new TestApp(settings, {}, false)
  const server = (await backEnd(app)).device
  const faults: string[] = []
  let at = 0
  let sent = 0
  for (const endpoint of sample(endpoints, 60)) {
    const path = endpoint.path.replace(/:\w+/g, 'x')
    // A call may end the session of the one before.
    const device =
      serverPermissionOf(endpoint) !== null
        ? server
        : isForAdministrators(endpoint.access)
          ? (await administrator(app, { name: 'R', email: `r${at}@example.com`, password: 'password1234' })).device
          : (await someone(app, `u${at}`)).device
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = method === 'GET' ? undefined : bodies[at++ % bodies.length]
      const headers = { 'content-type': 'application/json' }
      const answer = await device.send(method, path, body, { headers })
      sent += 1
      const isDeclared = endpoint.errors.some(({ code }) => code === answer.body?.code)
      if (answer.status >= 500 && !isDeclared) faults.push(`${method} ${path} ${body?.slice(0, 60)}: ${answer.status}`)
    }
  }
  expect(sent).toBeGreaterThan(300)
  expect(faults).toEqual([])
})
