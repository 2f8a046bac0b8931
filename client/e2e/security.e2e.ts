import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { watchChannel } from './browser.ts'
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

/** Answers the requests of the log. @returns the queries of the requests */
async function answerWith(page: Page, first: object[], second: object[] = []): Promise<string[]> {
  const asked: string[] = []
  await page.route('**/api/auth/security-events?*', (route: Route) => {
    const query = new URL(route.request().url()).searchParams
    asked.push(query.toString())
    const isSecond = query.has('cursor')
    return route.fulfill({
      json: { events: isSecond ? second : first, next: isSecond || second.length === 0 ? null : 'more' },
    })
  })
  return asked
}

describe('recent activity', () => {
  it('lists what happened, with device, place and time, a page at a time', async () => {
    const { page } = await member()
    const asked = await answerWith(
      page,
      [
        event(0, { current: true }),
        event(3, { type: 'sign-in-failed', outcome: 'failure', device: { browser: 'Safari 18', os: 'iOS' } }),
        event(30, { type: 'provider-linked', method: null, details: { provider: 'google' } }),
        event(80, { type: 'impersonated-act', method: null, device: null, city: null, country: null, ipAddress: null }),
      ],
      [event(90, { type: 'passkey-added' })],
    )
    await go(page, '/account/security#activity')
    const rows = page.getByRole('table', { name: 'Recent activity' }).getByRole('row')
    await rows.getByText('Signed in').first().waitFor()
    const first = await rows.nth(1).innerText()
    const parts = [
      'Signed in',
      'This session',
      'with a password',
      'Firefox 131 on Linux',
      'Vienna, Austria',
      '192.0.2.7',
    ]
    for (const part of parts) expect(first).toContain(part)
    await rows.getByText('3 hours ago').first().waitFor({ state: 'attached' })
    await rows.getByText('Account linked: google').waitFor()
    await lookAt(page, 'activity')
    await click(page, 'Older records')
    await rows.getByText('Passkey added').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Older records' }).count()).toBe(0)
    expect(asked).toEqual(['limit=30', 'limit=30&cursor=more'])
    await speak(page, 'de')
    await page.reload()
    await page.getByText('Die Verwaltung hat als dieses Konto gehandelt').waitFor()
    await lookAt(page, 'activity-de')
  })

  it('shows repetition as one row, details on request, a filter and a file', async () => {
    const { page } = await member()
    const asked = await answerWith(page, [
      event(0, { current: true }),
      ...Array.from({ length: 15 }, (_, n) => event(n + 1, { device: { browser: 'Chrome', os: 'macOS' } })),
      event(30, { type: 'password-changed', method: null }),
    ])
    await go(page, '/account/security#activity')
    const rows = page.getByRole('table', { name: 'Recent activity' }).getByRole('row')
    await rows.getByText('15 sign-ins from Chrome on macOS').waitFor()
    await expect.poll(() => rows.count()).toBe(4)
    const each = page.getByRole('button', { name: 'Show each: 15 sign-ins from Chrome on macOS' })
    await each.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(19)
    await expect.poll(() => each.getAttribute('aria-expanded')).toBe('true')
    await lookAt(page, 'activity-each')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(4)
    await page.getByRole('button', { name: 'Details: Password changed' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Password changed' })
    await dialog.getByText('Mozilla/5.0').waitFor()
    await lookAt(page, 'activity-details')
    await page.keyboard.press('Escape')
    const [file] = await Promise.all([page.waitForEvent('download'), click(page, 'Export as CSV')])
    expect(file.suggestedFilename()).toMatch(/^activity-.*\.csv$/)
    expect(
      readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n'),
    ).toHaveLength(18)
    await click(page, 'Filter')
    await page.getByRole('combobox', { name: 'Event' }).fill('password changed')
    await page.keyboard.press('Enter')
    await page.waitForURL(/security\?kind=password-changed$/)
    await expect.poll(() => asked.at(-1)).toBe('limit=30&type=password-changed')
    await lookAt(page, 'activity-filter')
  })
})

describe('the check-up', () => {
  it('has four facts, each with the way to its part', async () => {
    const { page, email } = await member()
    const connected = await watchChannel(page)
    await go(page, '/account/security')
    await connected()
    const facts = page.locator('#checkup').getByRole('listitem')
    await page.getByText('steps make your account safer.').waitFor()
    await expect
      .poll(() => facts.allInnerTexts())
      .toEqual([
        expect.stringContaining('ways to sign in'),
        expect.stringContaining('No second factor'),
        expect.stringContaining('No passkey'),
        expect.stringContaining('No new device in the last 7 days'),
      ])
    await page.getByRole('link', { name: 'No second factor: Turn on' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /ways to sign in: Show$/ }).press('Enter')
    await expect.poll(() => page.locator('#accounts:target').count()).toBe(1)
    const other = await open()
    await go(other, '/sign-in')
    await signIn(other, email)
    await heading(other, 'Profile')
    await page.getByRole('link', { name: '1 new device in the last 7 days: Review' }).waitFor()
    await lookAt(page, 'checkup')
  })
})

describe('recent activity of the server', () => {
  it('lists the actions of the user', async () => {
    const { page } = await member()
    await go(page, '/account/security#activity')
    const section = page.locator('#activity')
    await section
      .getByText(/^Signed/)
      .first()
      .waitFor()
    await section.getByText('This session').first().waitFor()
    await section
      .getByText(/Chrome \d+ on Linux/)
      .last()
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
