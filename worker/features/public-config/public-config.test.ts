import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'

describe('/check-callback', () => {
  const device = new TestApp({ trustedOrigins: ['https://app.example.com'] }).device()
  const check = async (callbackURL: string) => {
    const { status, body } = await device.get('/check-callback', { query: { callbackURL } })
    return body.code ? { status, code: body.code } : { status, body }
  }

  it('200: a path of ours, our own origin, a trusted one', async () => {
    for (const url of ['/account', 'http://localhost:8787/account', 'https://app.example.com/after?x=1']) {
      expect(await check(url), url).toEqual({ status: 200, body: { status: true } })
    }
  })

  it('403: whatever else a link may name', async () => {
    for (const url of [
      'https://evil.example/',
      '//evil.example',
      'https://app.example.com.evil.example',
      'javascript:1',
      '/.//evil.example',
      '/x/..//evil.example',
    ]) {
      expect(await check(url), url).toEqual({ status: 403, code: 'INVALID_CALLBACKURL' })
    }
  })
})

describe('/check-callback: its limit', () => {
  it('is its own: the general rule does not count it', async () => {
    const limited = new TestApp({ rateLimit: { enabled: true, window: 60, max: 2 } }).device()
    const ask = async (path: string) => (await limited.get(path, { query: { callbackURL: '/account' } })).status
    const many = await Promise.all(Array.from({ length: 6 }, () => ask('/check-callback')))
    expect(many).toEqual(many.map(() => 200))
    expect([await ask('/ok'), await ask('/ok'), await ask('/ok')]).toEqual([200, 200, 429])
  })
})

describe('/config', () => {
  const verifies = async (config: ConstructorParameters<typeof TestApp>[0]) =>
    (await new TestApp(config).device().get('/config')).body.features.verifyOnSignUp

  it('200: says whether a sign-up mails a link', async () => {
    expect(await verifies({ emailVerification: { sendOnSignUp: true } })).toBe(true)
    expect(await verifies({ emailVerification: { sendOnSignUp: false } })).toBe(false)
    expect(await verifies({ emailVerification: { enabled: false, sendOnSignUp: true } })).toBe(false)
  })
})
