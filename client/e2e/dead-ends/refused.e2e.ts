import { describe, expect, it } from 'vitest'
import { lookAt } from '../look-at.ts'
import { click, follow, go, heading, member, nothingBroke, open, setTheStage, signIn } from './stage.ts'

/** When the browser refuses cookies, the server refuses requests, or users are locked out. */
setTheStage({ signIn: { flow: 'combined' }, brand: { support: 'https://status.example.com/' } })

const noCookies = 'Your browser does not keep cookies for this site'

describe('a browser without cookies', () => {
  it('gets an explanation after the sign-in', async () => {
    const { email } = await member()
    const page = await open()
    await page.route('**/get-session*', (route) => route.fulfill({ json: null }))
    await go(page, '/sign-in')
    await expect.poll(() => page.getByText(noCookies).count()).toBe(0)
    await signIn(page, email)
    await page.getByText(noCookies).waitFor()
    await heading(page, 'Sign in to Gatehouse')
    await lookAt(page, 'no-cookies')
    await page.unroute('**/get-session*')
    await signIn(page, email)
    await heading(page, 'Profile')
    await page.context().clearCookies()
    await go(page, '/account/security')
    await heading(page, 'Sign in to Gatehouse')
    await expect.poll(() => page.getByText(noCookies).count()).toBe(0)
  })

  it('gets it before typing if the browser says so', async () => {
    const page = await open()
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }))
    await go(page, '/sign-in')
    await page.getByText(noCookies).waitFor()
  })
})

describe('a server that does not answer', () => {
  const english = 'D1_ERROR: something internal'
  const failing = async (status: number, headers: Record<string, string> = {}) => {
    const { page } = await member()
    await page.route('**/get-session*', (route) => route.fulfill({ status, headers, json: { message: english } }))
    await go(page, '/account/profile')
    return page
  }

  for (const [status, text] of [
    [500, 'Something went wrong on our side.'],
    [503, 'The service is not available right now.'],
  ] as const) {
    it(`${status}: a page with a title, the cause, a retry and the support`, async () => {
      const page = await failing(status)
      await heading(page, 'Gatehouse is not available right now')
      await expect.poll(() => page.title()).toBe('Gatehouse is not available right now · Gatehouse')
      await page.getByRole('alert').getByText(text).waitFor()
      await expect.poll(() => page.getByText(english).count()).toBe(0)
      await expect
        .poll(() => page.locator('main').getByRole('link', { name: 'Support' }).getAttribute('href'))
        .toBe('https://status.example.com/')
      await page.getByRole('link', { name: 'Gatehouse' }).waitFor()
      if (status === 503) await lookAt(page, 'unavailable')
      await page.unroute('**/get-session*')
      await click(page, 'Try again')
      await heading(page, 'Profile')
    })
  }

  it('429: waits and retries automatically', async () => {
    const page = await failing(429, { 'x-retry-after': '4' })
    await heading(page, 'Gatehouse is not available right now')
    await page.getByText(/The service is busy. Trying again in \d seconds?\./).waitFor()
    await expect.poll(() => page.getByText('This was done too often').count()).toBe(0)
    await page.unroute('**/get-session*')
    await heading(page, 'Profile')
  })

  it('offline: the page says so, and continues when the connection is back', async () => {
    const { page } = await member()
    await page.route('**/get-session*', (route) => route.abort())
    await go(page, '/account/profile')
    await heading(page, 'No connection')
    await page.unroute('**/get-session*')
    await click(page, 'Try again')
    await heading(page, 'Profile')
  })
})

describe('a password that is refused', () => {
  it('the third time, and during a lock-out: other ways are offered', async () => {
    const page = await open()
    await go(page, '/sign-in')
    const link = page.getByRole('link', { name: 'Email me a sign-in link instead' })
    for (let n = 1; n <= 3; n++) {
      await page.locator('input[name="identifier"]').fill('wanda@example.com')
      const answered = page.waitForResponse('**/sign-in/email')
      await signIn(page, 'wanda@example.com')
      await answered
      await page.getByText('password is incorrect').waitFor()
      if (n < 3) await expect.poll(() => link.count()).toBe(0)
    }
    await link.waitFor()
    await lookAt(page, 'third-wrong-password')

    const locked = await open()
    await go(locked, '/sign-in')
    await locked.route('**/sign-in/email', (route) =>
      route.fulfill({ status: 429, headers: { 'x-retry-after': '660' }, json: { message: 'Too many' } }),
    )
    await signIn(locked, 'wanda@example.com')
    await locked.getByText('This was done too often. Try again in 11 minutes.').waitFor()
    await lookAt(locked, 'locked-out')
    await follow(locked, 'Reset password')
    await heading(locked, 'Forgot your password?')
    await locked.goBack()
    await signIn(locked, 'wanda@example.com')
    await follow(locked, 'Email me a sign-in link instead')
    await heading(locked, 'Sign in with a link')
    await expect.poll(() => locked.getByLabel('Email', { exact: true }).inputValue()).toBe('wanda@example.com')
  })
})

nothingBroke()
