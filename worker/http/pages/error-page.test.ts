import { describe, expect, it } from 'vitest'
import { errorSentences, normalCode } from '../../kit/error-sentences.ts'
import { textsIn } from '../../languages/texts.ts'
import { TestApp } from '../../testing/harness.ts'

const show = (app: TestApp, error: string, language = 'en') =>
  app.device().get('/error', { query: { error }, headers: { 'accept-language': language } })

/** All codes with which the server redirects a browser (grep for `failAt`, `refused` and `RedirectError`). */
const codes = [
  'access_denied',
  'account_already_linked_to_different_user',
  'account_not_linked',
  'banned',
  'client_disabled',
  'DISPOSABLE_EMAIL',
  'email_is_missing',
  'email_not_found',
  "email_doesn't_match",
  'EXPIRED_TOKEN',
  'failed_to_create_session',
  'failed_to_create_user',
  'internal_server_error',
  'invalid_callback_request',
  'invalid_client',
  'invalid_authorization_details',
  'invalid_code',
  'invalid_redirect_uri',
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_scope',
  'invalid_target',
  'INVALID_TOKEN',
  'invalid_token',
  'login_required',
  'new_user_signup_disabled',
  'no_code',
  'oAuth_code_missing',
  'oauth_code_verification_failed',
  'oauth_provider_not_found',
  'OAuthProxy_Invalid_cookies_or_secret',
  'please_restart_the_process',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  'signup_disabled',
  'state_not_found',
  'token_expired',
  'too_many_requests',
  'unable_to_create_session',
  'unable_to_create_user',
  'unable_to_get_user_info',
  'unable_to_link_account',
  'unauthorized',
  'unauthorized_client',
  'unsupported_response_type',
  'user_info_is_missing',
  'user_not_found',
]

describe('GET /error', () => {
  it('200: every code has its sentence, in each language', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    for (const code of codes) {
      for (const language of ['en', 'de'] as const) {
        const { body } = await show(app, code, language)
        const sentence = textsIn(errorSentences, language, {})[normalCode(code)]
        expect(sentence, code).toBeTruthy()
        expect(body).toContain(`<p>${sentence}</p>`)
        expect(body).toContain(`<code>${code.replace("'", '&#39;')}</code>`)
      }
    }
  })

  it('200: leads a visitor to the sign-in, and a signed-in user to the account, in the typeface of the app', async () => {
    const app = new TestApp()
    const device = app.device()
    const shown = async () => (await device.get('/error', { query: { error: 'invalid_scope' } })).body
    expect(await shown()).toContain('href="/sign-in">Back to sign in</a>')
    await device.post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'a long password of mine' })
    expect(await shown()).toContain('href="/account/profile">Go to your account</a>')
    expect(await shown()).toContain('src: url("/assets/inter-latin.woff2")')
  })

  it('200: in the language of the browser', async () => {
    const app = new TestApp()
    const german = await show(app, 'state_not_found', 'de-AT,de;q=0.9,en;q=0.5')
    expect(german.body).toContain('<html lang="de" dir="ltr">')
    expect(german.body).toContain('Zurück zur Anmeldung')
    expect((await show(app, 'state_not_found', 'nl')).body).toContain('<html lang="en" dir="ltr">')
    expect((await show(app, 'state_not_found', 'ar')).body).toContain('<html lang="ar" dir="rtl">')
  })

  it("200: with the dark theme's logo, and a favicon from elsewhere, which may be loaded too", async () => {
    const app = new TestApp({
      brand: {
        logo: { light: 'https://cdn.acme.example/day.png', dark: 'https://night.acme.example/n.png' },
        favicon: 'https://icons.acme.example/i.png',
      },
    })
    const { body, headers } = await show(app, 'banned')
    expect(body).toContain('<source srcset="https://night.acme.example/n.png" media="(prefers-color-scheme: dark)" />')
    expect(body).toContain('<link rel="icon" href="/api/auth/favicon?theme=dark"')
    expect(headers.get('content-security-policy')).toContain(
      "img-src 'self' https://cdn.acme.example https://night.acme.example https://icons.acme.example;",
    )
  })

  it('200: with the brand, whose logo alone may be loaded; without one nothing but ours', async () => {
    const app = new TestApp({
      appName: 'Acme <b>',
      brand: {
        logo: 'https://cdn.acme.example/logo.svg',
        accent: { light: '#7a1fa2', dark: '#e1b3f5' },
        terms: '/terms',
      },
    })
    const { body, headers } = await show(app, 'banned')
    expect(body).toContain('<img src="https://cdn.acme.example/logo.svg" alt="" />')
    expect(body).toContain('<span>Acme &lt;b&gt;</span>')
    expect(body).toContain('background: light-dark(#7a1fa2, #')
    expect(body).toContain('<a href="http://localhost:8787/terms">Terms</a>')
    expect(headers.get('content-security-policy')).toContain("img-src 'self' https://cdn.acme.example;")
    const plain = await show(new TestApp(), 'banned')
    expect(plain.headers.get('content-security-policy')).toContain("img-src 'self';")
    expect(plain.body).not.toMatch(/<img|<footer|<script/)
  })
})

describe('an error at an address', () => {
  const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' }

  it('that a browser opens: a page with its status; a script gets JSON', async () => {
    const app = new TestApp()
    const query = { token: 'a.b.c' }
    const { status, body, headers } = await app.device().get('/verify-email', { query, headers: navigation })
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 401,
      contentType: 'text/html; charset=utf-8',
    })
    expect(body).toContain('<code>invalid_token</code>')
    expect((await app.device().get('/verify-email', { query })).body.code).toBe('INVALID_TOKEN')
  })

  it('with how long to wait, after too many', async () => {
    const device = new TestApp({
      rateLimit: { enabled: true, customRules: { '/verify-email': { max: 1, window: 60 } } },
    }).device()
    const open = () => device.get('/verify-email', { query: { token: 'x' }, headers: navigation })
    await open()
    const { status, body, headers } = await open()
    expect({ status, hasRetryAfter: Number(headers.get('x-retry-after')) > 0 }).toEqual({
      status: 429,
      hasRetryAfter: true,
    })
    expect(body).toContain('<code>too_many_requests</code>')
  })

  it('of the API stays JSON in a browser too', async () => {
    const { status, body } = await new TestApp().device().get('/list-sessions', { headers: navigation })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })
})
