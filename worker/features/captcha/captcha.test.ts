import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { CaptchaService, captchaSecret, captchaSiteKey } from '../../testing/outside/captcha-provider.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count } from '../../testing/rows.ts'
import type { CaptchaProvider } from './captcha.config.ts'

afterEach(() => vi.restoreAllMocks())

const keys = { siteKey: captchaSiteKey, secretKey: captchaSecret }
const settings = (provider: CaptchaProvider, more: object = {}) => ({
  rateLimit: { enabled: false },
  captcha: { provider, ...keys, ...more },
})
const solved = (response: string) => ({ headers: { 'x-captcha-response': response } })
const missing = { code: 'MISSING_CAPTCHA_RESPONSE', message: 'Missing CAPTCHA response' }
const failed = { code: 'CAPTCHA_VERIFICATION_FAILED', message: 'Captcha verification failed' }
const wrong = { code: 'SOMETHING_WENT_WRONG', message: 'Something went wrong' }

const providers = ['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha'] as const

describe.each(providers)('%s', (provider) => {
  const start = (more: object = {}) => ({
    service: new CaptchaService(provider).install(),
    app: new TestApp(settings(provider, more)),
  })

  it.each(['/sign-up/email', '/sign-in/email', '/forget-password', '/request-password-reset'])(
    '400 and 403 on %s before anything is read',
    async (path) => {
      const { app, service } = start()
      for (const [headers, status, body] of [
        [{}, 400, missing],
        [{ 'x-captcha-response': '' }, 400, missing],
        [{ 'x-captcha-response': 'made up' }, 403, failed],
        [{ 'x-captcha-response': 'x'.repeat(20_000) }, 403, failed],
      ] as const) {
        const answer = await app.device().post(path, alice, { headers })
        expect({ status: answer.status, body: answer.body }).toEqual({ status, body })
        expect(Object.values(answer.io).map(([used]) => used)).toEqual([0, 0, 0, 0, 0])
      }
      expect(service.questions).toHaveLength(1)
      expect(await count('users')).toBe(0)
    },
  )

  it('200 with an answer that the provider confirms, which is valid once', async () => {
    const { app, service } = start()
    const response = service.solve()
    const device = app.device()
    expect((await device.post('/sign-up/email', alice, solved(response))).status).toBe(200)
    expect(service.questions).toEqual([
      {
        secret: captchaSecret,
        response,
        remoteip: device.ip,
        ...(provider === 'hcaptcha' ? { sitekey: captchaSiteKey } : {}),
      },
    ])
    expect((await device.post('/sign-in/email', alice, solved(response))).body).toEqual(failed)
    // A header that is sent twice arrives as one.
    const twice = `${service.solve()}, ${service.solve()}`
    expect((await device.post('/sign-in/email', alice, solved(twice))).body).toEqual(failed)
    expect((await device.post('/sign-in/email', alice, solved('  '))).body).toEqual(missing)
    expect((await device.post('/sign-in/email', alice, solved(service.solve()))).status).toBe(200)
  })

  it('nothing else is guarded, and canonical paths are', async () => {
    const { app } = start()
    expect((await app.device().get('/get-session')).status).toBe(200)
    for (const path of [
      '/api/auth//sign-in/email',
      '/api/auth/x/../sign-in/email',
      '/api/auth/sign-in/%65mail',
      '/api/auth/sign-in/email/',
      '/api/auth/sign-in/email?a=b',
      '/api/auth/sign-in/email;a=b',
      '/api/auth/Sign-In/EMAIL',
      '/API/auth/sign-in/email',
    ]) {
      const { status } = await app.device().post(path, alice)
      expect({ path, refused: [400, 404].includes(status) }).toEqual({ path, refused: true })
    }
  })

  it.each(['answers 500', 'answers garbage', 'answers nothing'] as const)(
    '500 when the provider %s',
    async (trouble) => {
      const { app, service } = start()
      service.breakDown(trouble)
      const { status, body, cookies } = await app.device().post('/sign-up/email', alice, solved(service.solve()))
      expect({ status, body, cookies }).toEqual({ status: 500, body: wrong, cookies: [] })
      service.breakDown(null)
      expect((await app.device().post('/sign-up/email', alice, solved(service.solve()))).status).toBe(200)
    },
  )

  it('500 without a secret key; one of the environment will do', async () => {
    const { service } = start()
    const log = vi.spyOn(console, 'info').mockImplementation(() => {})
    const none = settings(provider, { secretKey: '' })
    const answer = await new TestApp(none).device().post('/sign-up/email', alice, solved(service.solve()))
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 500, body: wrong })
    expect(log.mock.calls.join()).toMatch(
      /CAPTCHA_SECRET_KEY is missing; set it [^,]+, on a development machine in \.dev\.vars/,
    )
    const app = new TestApp(none, { CAPTCHA_SECRET_KEY: captchaSecret })
    expect((await app.device().post('/sign-up/email', alice, solved(service.solve()))).status).toBe(200)
  })

  it('500 if the provider rejects the secret key: the user is not to blame', async () => {
    const { app, service } = start({ secretKey: 'of another site' })
    const { status, body } = await app.device().post('/sign-up/email', alice, solved(service.solve()))
    expect({ status, body }).toEqual({ status: 500, body: wrong })
  })

  it('other paths, and another address, by configuration', async () => {
    const url = 'https://captcha.example.com/verify'
    const service = new CaptchaService(provider, url).install()
    const endpoints = ['/sign-in/*', '/update-user']
    const app = new TestApp(settings(provider, { endpoints, siteVerifyURLOverride: url }))
    const device = await signUp(app, alice)
    for (const path of ['/sign-in/email', '/sign-in/anonymous', '/update-user']) {
      expect({ path, body: (await device.post(path, { name: 'x' })).body }).toEqual({ path, body: missing })
    }
    expect((await device.post('/update-user', { name: 'B' }, solved(service.solve()))).body).toEqual({ status: true })
  })

  it('the screens get the provider and site key, never the secret; the widget’s policy names its hosts', async () => {
    const { app } = start()
    const config = await app.device().get('/config')
    expect(config.body.captcha).toEqual({ provider, siteKey: captchaSiteKey })
    expect(JSON.stringify(config.body)).not.toContain(captchaSecret)
    const { status, body, headers } = await app.device().get('/captcha/widget')
    expect({ status, showsSecret: body.includes(captchaSecret) }).toEqual({ status: 200, showsSecret: false })
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    const others = { 'cloudflare-turnstile': 'cloudflare', 'google-recaptcha': 'google', hcaptcha: 'hcaptcha' }
    for (const [name, host] of Object.entries(others))
      expect({ name, allowed: policy.includes(host) }).toEqual({ name, allowed: name === provider })
    expect((await app.device().get('/captcha/widget', { query: { theme: '"><script>' } })).status).toBe(400)
  })
})

describe('reCAPTCHA v3', () => {
  it.each([
    [0.4, {}, 403],
    [0.5, {}, 200],
    [0.5, { minScore: 0.7 }, 403],
    [0, { minScore: 0 }, 200],
  ])('a score of %s with %j: %s', async (score, more, status) => {
    const service = new CaptchaService('google-recaptcha').install()
    const app = new TestApp(settings('google-recaptcha', more))
    expect((await app.device().post('/sign-up/email', alice, solved(service.solve({ score })))).status).toBe(status)
  })
})

describe('a score that does not measure trust', () => {
  // hCaptcha Enterprise: 0 means no risk, 1 a confirmed threat, and the provider's own rules decide about `success`.
  it.each([0, 0.3, 0.9])('hCaptcha with %s: its verdict is used', async (score) => {
    const service = new CaptchaService('hcaptcha').install()
    const app = new TestApp(settings('hcaptcha'))
    expect((await app.device().post('/sign-up/email', alice, solved(service.solve({ score })))).status).toBe(200)
  })
})

describe('without a provider', () => {
  it('no provider is asked, and the page has no widget', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    expect((await app.device().get('/captcha/widget')).status).toBe(404)
    expect((await app.device().get('/config')).body.captcha).toBeUndefined()
  })
})

describe('an invalid answer', () => {
  it.each([
    ['"success"'],
    ['null'],
    ['{"success":"true"}'],
    ['{"success":1}'],
    ['[]'],
    ['{"success":false,"error-codes":["internal-error"]}'],
    ['{"success":false,"error-codes":["missing-input-secret"]}'],
  ])('500 for %s', async (text) => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(text))
    const app = new TestApp(settings('cloudflare-turnstile'))
    expect((await app.device().post('/sign-up/email', alice, solved('x'))).body).toEqual(wrong)
  })

  it.each([
    ['{"success":false}'],
    ['{"success":false,"error-codes":"internal-error"}'],
    ['{"success":false,"error-codes":["timeout-or-duplicate"]}'],
    ['{"success":false,"error-codes":["sitekey-secret-mismatch"]}'],
    ['{"success":false,"error-codes":[null,{}]}'],
  ])('403 for %s', async (text) => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(text))
    const app = new TestApp(settings('cloudflare-turnstile'))
    expect((await app.device().post('/sign-up/email', alice, solved('x'))).body).toEqual(failed)
  })
})
