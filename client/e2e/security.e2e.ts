import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  click,
  fill,
  go,
  heading,
  inPage,
  member,
  nothingBroke,
  open,
  server,
  setTheStage,
  signIn,
} from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'

/** The security page and its actions. */
setTheStage()

const speak = (page: Page, language: 'en' | 'de') =>
  page.evaluate((chosen) => localStorage.setItem('language', chosen), language)

const event = (n: number, more: object = {}) => ({
  id: `event-${n}`,
  type: 'sign-in',
  outcome: 'success',
  method: 'email',
  details: {},
  device: { browser: 'Firefox 131', os: 'Linux' },
  ipAddress: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  city: 'Vienna',
  country: 'AT',
  createdAt: new Date(Date.now() - n * 3_600_000).toISOString(),
  current: false,
  ...more,
})

describe('recent activity', () => {
  it('lists what happened, with device, place and time, a page at a time', async () => {
    const { page } = await member()
    const asked: string[] = []
    await page.route('**/api/auth/security-events?*', (route: Route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor') ?? ''
      asked.push(cursor)
      const first = [
        event(0, { current: true }),
        event(3, { type: 'sign-in-failed', outcome: 'failure', device: { browser: 'Safari 18', os: 'iOS' } }),
        event(30, { type: 'provider-linked', method: null, details: { provider: 'google' } }),
        event(80, { type: 'impersonated-act', method: null, device: null, city: null, country: null, ipAddress: null }),
      ]
      return route.fulfill({
        json: cursor ? { events: [event(90, { type: 'passkey-added' })], next: null } : { events: first, next: 'more' },
      })
    })
    await go(page, '/account/security#activity')
    const section = page.locator('#activity')
    await section.getByText('Signed in').first().waitFor()
    await section.getByText('This session').waitFor()
    await section.getByText('Firefox 131 on Linux · Vienna, Austria · 192.0.2.7').first().waitFor()
    await section.getByText('3 hours ago with a password').waitFor()
    await section.getByText('Account linked: google').waitFor()
    await lookAt(page, 'activity')
    await section.getByRole('button', { name: 'Show more' }).click()
    await section.getByText('Passkey added').waitFor()
    expect(await section.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(asked).toEqual(['', 'more'])
    await speak(page, 'de')
    await page.reload()
    await section.getByText('Die Verwaltung hat als dieses Konto gehandelt').waitFor()
    await lookAt(page, 'activity-de')
  })
})

describe('recent activity of the server', () => {
  it('lists the actions of the user', async () => {
    const { page } = await member()
    await go(page, '/account/security#activity')
    const section = page.locator('#activity')
    await section.getByText('Signed in').first().waitFor()
    await section.getByText('This session').first().waitFor()
    await section
      .getByText(/Chrome \d+ on Linux/)
      .first()
      .waitFor()
  })
})

describe('signing out everywhere else', () => {
  it('can end the access of applications too', async () => {
    const { page, email } = await member()
    const other = await open()
    await go(other, '/sign-in')
    await signIn(other, email)
    await heading(other, 'Profile')
    await go(page, '/account/security#sessions')
    await click(page, 'Sign out all others')
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else?' })
    await dialog.getByLabel('Also end the access of connected apps').check()
    await lookAt(page, 'sign-out-everywhere')
    const sent = page.waitForRequest('**/revoke-other-sessions')
    await dialog.getByRole('button', { name: 'Sign out all others' }).click()
    expect((await sent).postDataJSON()).toEqual({ applications: true })
    await page.getByText('All other sessions have been ended.').waitFor()
    await page.getByText('You are not signed in anywhere else.').waitFor()
  })
})

describe('the link that undoes a change of the address', () => {
  const route = (page: Page, status: number, json: object) => {
    const tokens: unknown[] = []
    return page
      .route('**/api/auth/change-email/revert', (one: Route) => {
        tokens.push(one.request().postDataJSON())
        return one.fulfill({ status, json })
      })
      .then(() => tokens)
  }

  it('changes nothing when it is opened, undoes it on request, and leads to a new password', async () => {
    const page = await open()
    const tokens = await route(page, 200, { status: true, resetToken: 'a reset token' })
    await go(page, '/revert-email?token=abc')
    await heading(page, 'Was this not you?')
    await lookAt(page, 'revert-email')
    expect(tokens).toEqual([])
    await click(page, 'Undo the change')
    await heading(page, 'The change is undone')
    await lookAt(page, 'revert-email-done')
    expect(tokens).toEqual([{ token: 'abc' }])
    await page.getByRole('link', { name: 'Choose a new password' }).click()
    await page.waitForURL('**/reset-password?token=a%20reset%20token')
    await page.getByLabel('New password', { exact: true }).waitFor()
  })

  it('shows when it no longer works, and the alternative', async () => {
    const page = await open()
    await route(page, 400, { code: 'INVALID_TOKEN', message: 'Invalid token' })
    await go(page, '/goodbye')
    await speak(page, 'de')
    await go(page, '/revert-email?token=abc')
    await heading(page, 'Warst du das nicht?')
    await lookAt(page, 'revert-email-de')
    await click(page, 'Änderung rückgängig machen')
    await heading(page, 'Dieser Link gilt nicht mehr')
    await lookAt(page, 'revert-email-dead-de')
    await page.getByRole('link', { name: 'Passwort zurücksetzen' }).click()
    await page.waitForURL('**/forgot-password')
  })
})

describe('an application that requests access', () => {
  it('is said to have registered itself, with how long it keeps the access', async () => {
    const { page, email } = await member()
    const asked = {
      client: {
        clientId: 'c',
        name: 'Photos',
        icon: null,
        uri: null,
        policyUri: null,
        tosUri: null,
        documentHost: null,
        selfRegistered: true,
      },
      redirectHost: 'photos.example.com',
      scopes: ['openid', 'email', 'offline_access'],
      accessExpiresIn: 604_800,
      resource: null,
      organizations: ['Photo Club'],
      user: { name: 'Ada', email, image: null },
      switchAccountURL: '/sign-in',
    }
    await page.route('**/api/auth/oauth2/consent?*', (one: Route) => one.fulfill({ json: asked }))
    await go(page, '/consent?consent_code=x')
    await page.getByText('This application registered itself and was not reviewed.').waitFor()
    await page.getByText('until it has not used it for 7 days').waitFor()
    await page.getByText('Photo Club').waitFor()
    await lookAt(page, 'consent')
    await speak(page, 'de')
    await page.reload()
    await page.getByText('Diese Anwendung hat sich selbst registriert').waitFor()
    await lookAt(page, 'consent-de')
  })
})

describe('API keys', () => {
  it('have an access level, which is chosen with the key', async () => {
    const { page } = await member()
    await go(page, '/developers/api-keys')
    await click(page, 'Create a key')
    await fill(page, 'Name (optional)', 'Backup')
    await page.getByLabel('Access to your account').selectOption({ label: 'Read only' })
    await lookAt(page, 'api-key-create')
    const sent = page.waitForRequest('**/api-key/create')
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
    expect((await sent).postDataJSON()).toMatchObject({ name: 'Backup', access: 'read-only' })
    await click(page, 'I have saved it')
    await page.getByRole('row').filter({ hasText: 'Backup' }).waitFor()
    await lookAt(page, 'api-keys')
  })
})

describe('a callback', () => {
  const foreign = 'https://app.example.com/after'

  it('of another site is followed only after the server has allowed it', async () => {
    const { page } = await member()
    let status = 429
    await page.route('**/api/auth/check-callback?*', (one: Route) =>
      status === 200 ? one.fulfill({ json: { status: true } }) : one.fulfill({ status, json: { message: 'No' } }),
    )
    await go(page, `/welcome?callbackURL=${encodeURIComponent(foreign)}`)
    await heading(page, 'This link could not be checked')
    await page.getByText('It leads on to app.example.com.').waitFor()
    await lookAt(page, 'callback-unchecked')
    status = 500
    await go(page, `/welcome?callbackURL=${encodeURIComponent(foreign)}`)
    await heading(page, 'This link could not be checked')
    status = 200
    await click(page, 'Try again')
    await page.waitForURL(foreign)
  })

  it.each(['javascript:alert(1)', 'com.example.app:/x', '/.//app.example.com', '/x/..//app.example.com'])(
    'that is not a valid target is refused: %s',
    async (callbackURL) => {
      const { page } = await member()
      await go(page, `/welcome?callbackURL=${encodeURIComponent(callbackURL)}`)
      await heading(page, 'This link is not safe to follow')
    },
  )

  it('to a page of our origin that is not a screen is another document', async () => {
    const { page, email } = await member()
    await page.route(`${server.url}/dashboard?x=1`, (one: Route) =>
      one.fulfill({ contentType: 'text/html', body: '<h1>Of another Worker</h1>' }),
    )
    const query = `?callbackURL=${encodeURIComponent('/dashboard?x=1')}`
    await page.goto(`${server.url}/welcome${query}`)
    await heading(page, 'Of another Worker')
    await page.goto(`${server.url}/sign-in${query}`)
    await heading(page, 'Of another Worker')
    await go(page, '/goodbye')
    await inPage(page, '/sign-out')
    await go(page, `/sign-in${query}`)
    await signIn(page, email)
    await heading(page, 'Of another Worker')
    await page.goto(`${server.url}/sign-in?callbackURL=${encodeURIComponent('/api/auth/ok')}`)
    await page.getByText('"ok":true').waitFor()
  })
})

nothingBroke()
