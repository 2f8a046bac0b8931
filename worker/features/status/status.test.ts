import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'

describe('/check-callback', () => {
  const device = new TestApp({ trustedOrigins: ['https://app.example.com'] }).device()
  const check = async (callbackURL: string) => {
    const { status, body } = await device.get('/check-callback', { query: { callbackURL } })
    return [status, body.code ?? body.status]
  }

  it('200: a path of ours, our own origin, a trusted one', async () => {
    for (const url of ['/account', 'http://localhost:8787/account', 'https://app.example.com/after?x=1']) {
      expect(await check(url), url).toEqual([200, true])
    }
  })

  it('403: whatever else a link may name', async () => {
    for (const url of [
      'https://evil.example/',
      '//evil.example',
      'https://app.example.com.evil.example',
      'javascript:1',
    ]) {
      expect(await check(url), url).toEqual([403, 'INVALID_CALLBACKURL'])
    }
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
