import { expect, it } from 'vitest'
import { readConfig } from '../configuration/read-config.ts'
import { mergeOptions } from '../kit/options.ts'
import { servedFeatures } from '../rpc/served-features.ts'
import { everything } from '../testing/cases.ts'
import { config } from '../testing/config.ts'
import { env, origin, TestApp } from '../testing/harness.ts'
import { type Endpoint, isProvenByBody } from './endpoint.ts'
import { contractOf } from './feature.ts'

const settings = { ...everything, rateLimit: { enabled: false } }
const endpoints: Endpoint[] = servedFeatures(readConfig(mergeOptions(config, settings), env).options).flatMap(
  (feature) => Object.values(contractOf(feature)),
)

/** A body that notes whether it is read. */
function unreadBody() {
  const seen = { isRead: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.isRead = true
        controller.enqueue(new TextEncoder().encode('{'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, stream }
}

it('reads the body of no stranger, unless the access depends on it', async () => {
  const app = new TestApp(settings)
  const guarded = endpoints.filter(
    ({ method, access, input: { body, raw } = {} }) =>
      method !== 'GET' && (body || raw) && access !== 'visitor' && !isProvenByBody(access),
  )
  expect(guarded.length).toBeGreaterThan(200)
  const wrong: string[] = []
  for (const { method, path, at } of guarded) {
    const { seen, stream } = unreadBody()
    const url = `${origin}${at?.root ? '' : '/api/auth'}${path.replace(/:\w+/g, 'x')}`
    const headers = { 'content-type': 'application/json', 'cf-connecting-ip': '203.0.113.9' }
    const { status } = await app.fetch(
      new Request(url, { method, headers, body: stream, duplex: 'half' } as RequestInit<RequestInitCfProperties>),
    )
    if (seen.isRead || status < 400 || status >= 500) wrong.push(`${method} ${path}: ${status}`)
  }
  expect(wrong).toEqual([])
})
