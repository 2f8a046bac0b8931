import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { enterIdentifier, expectAccessible } from '../browser.ts'
import {
  click,
  fill,
  follow,
  go,
  heading,
  member,
  newest,
  nothingBroke,
  open,
  password,
  setTheStage,
  signIn,
  trusted,
} from './stage.ts'

/** Situations that once left signed-out users without a way forward, or with a wrong message. */
setTheStage()

describe('7: pages whose address an attacker can craft', () => {
  it('confirm nothing, and show no farewell to an existing user', async () => {
    const { page } = await member()
    await go(page, '/verify-email')
    await heading(page, 'This link does not work')
    await go(page, '/verify-email?for=confirm')
    await heading(page, 'This link does not work')
    await go(page, '/goodbye?for=deletion')
    await heading(page, 'Profile')
    const visitor = await open()
    await go(visitor, '/verify-email')
    await heading(visitor, 'This link does not work')
    await go(visitor, '/goodbye')
    await heading(visitor, 'Sign in to Gatehouse')
  })

  it('reject a crafted callback before the user types a password', async () => {
    const page = await open()
    for (const path of ['/sign-in', '/sign-up', '/sign-in/code']) {
      for (const callback of ['https://evil.example/', 'javascript:alert(1)', '//evil.example']) {
        await go(page, `${path}?callbackURL=${encodeURIComponent(callback)}`)
        await heading(page, 'This link is not safe to follow')
        await expect.poll(() => page.locator('main input').count()).toBe(0)
      }
    }
    await expectAccessible(page)
    await follow(page, 'Continue without it')
    await heading(page, 'Sign in with a code')
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })
})

describe('8: codes', () => {
  it('after too many wrong codes, a new one is sent immediately', async () => {
    const page = await open()
    await go(page, '/sign-in/code')
    await fill(page, 'Email', 'cody@example.com')
    await click(page, 'Send code')
    await heading(page, 'Enter the code')
    const right = await newest('cody@example.com', 'codes')
    const field = page.getByLabel('Code', { exact: true })
    for (let n = 1; n <= 4; n++) {
      await field.fill(String((Number(right) + n) % 1_000_000).padStart(6, '0'))
      await page.getByText(n < 4 ? 'This code is incorrect.' : 'Too many incorrect codes.').waitFor()
      if (n < 4) await field.fill('')
    }
    await click(page, 'Request a new code')
    await field.fill(await newest('cody@example.com', 'codes'))
    await heading(page, 'What’s your name?')
  })

  it('messages give times in minutes, with another way to sign in', async () => {
    const page = await open()
    await go(page, '/sign-in/code')
    await fill(page, 'Email', 'cody@example.com')
    await click(page, 'Send code')
    await page.route('**/sign-in/email-otp', (route) =>
      route.fulfill({ status: 429, headers: { 'x-retry-after': '892' }, json: { message: 'Too many' } }),
    )
    await fill(page, 'Code', '123456')
    await page.getByText('This was done too often. Try again in 15 minutes.').waitFor()
    await expectAccessible(page)
    await follow(page, 'Sign in another way')
    await heading(page, 'Sign in to Gatehouse')
    // The typed text is kept.
    await expect.poll(() => page.locator('input[name="identifier"]').inputValue()).toBe('cody@example.com')
  })
})

describe('9: the way back to another site', () => {
  const query = `?callbackURL=${encodeURIComponent(`${trusted}/after`)}`
  const arrived = (page: Page) => page.waitForURL(`${trusted}/after`)

  it('is open to signed-in users', async () => {
    const { page } = await member()
    await go(page, `/sign-in${query}`)
    await heading(page, 'You are already signed in')
    await expectAccessible(page)
    await follow(page, 'Continue to app.example.com')
    await arrived(page)
    await go(page, `/sign-up${query}`)
    await follow(page, 'Continue to app.example.com')
    await arrived(page)
  })

  it('is open after a sign-up', async () => {
    const page = await open()
    await go(page, `/sign-up${query}`)
    await page.getByText('to continue to app.example.com').waitFor()
    await fill(page, 'Name', 'Nia')
    await fill(page, 'Email', 'nia@example.com')
    await fill(page, 'Password', password)
    await click(page, 'Create account')
    await heading(page, 'Confirm your email address')
    await follow(page, 'Continue to app.example.com')
    await arrived(page)
  })

  it('is open after signing out, and after signing in', async () => {
    const { page, email } = await member()
    await go(page, `/sign-out${query}`)
    await click(page, 'Sign out')
    await heading(page, 'You are signed out')
    await expectAccessible(page)
    await follow(page, 'Continue to app.example.com')
    await arrived(page)
    await go(page, `/sign-in${query}`)
    await signIn(page, email)
    await arrived(page)
    await go(page, `/sign-in/code${query}`)
    await fill(page, 'Email', email)
    await click(page, 'Send code')
    await fill(page, 'Code', await newest(email, 'codes'))
    await arrived(page)
  })
})

describe('10: links that come again, and invitations', () => {
  it('a used link shows that the user is signed in', async () => {
    const page = await open()
    await go(page, '/sign-in/link')
    await fill(page, 'Email', 'lin@example.com')
    await click(page, 'Send link')
    const link = await newest('lin@example.com', 'links')
    await page.goto(link)
    await click(page, 'Skip')
    await page.goto(link)
    await heading(page, 'You are already signed in')
    await follow(page, 'Continue')
    await heading(page, 'Profile')
  })

  it('an invitation shows inviter, organization, role and recipient; the address is filled in and locked', async () => {
    const page = await open()
    // organization.e2e.ts has the whole walks with the server's answers.
    await page.route('**/organization/invitation-preview*', (route) =>
      route.fulfill({
        json: {
          organizationName: 'Acme',
          inviterName: 'Olivia',
          inviterEmail: 'olivia@example.com',
          email: 'max@example.com',
          role: 'admin',
          expiresAt: new Date(Date.now() + 172_000_000).toISOString(),
        },
      }),
    )
    await go(page, '/accept-invitation?id=some-id')
    await heading(page, 'Join Acme')
    await page.getByText('Olivia invited you to Acme.').waitFor()
    for (const fact of ['max@example.com', 'Admin', 'in 2 days']) await page.getByText(fact).waitFor()
    await expectAccessible(page)
    await follow(page, 'Create an account')
    const email = page.getByLabel('Email', { exact: true })
    await expect.poll(() => email.inputValue()).toBe('max@example.com')
    await expect.poll(() => email.getAttribute('readonly')).not.toBeNull()
    expect(new URL(page.url()).search).not.toContain('max')
  })

  it('an invitation without a preview still has a next step', async () => {
    const page = await open()
    await page.route('**/organization/invitation-preview*', (route) => route.fulfill({ status: 404, json: {} }))
    await go(page, '/accept-invitation?id=some-id')
    await heading(page, 'You are invited')
    await follow(page, 'Sign in')
    await heading(page, 'Sign in to Gatehouse')
  })
})

describe('12: missing pages and records', () => {
  it('has the status 404: the app for a page, nothing for a file', async () => {
    const page = await open()
    const answer = await go(page, '/nowhere')
    expect(answer?.status()).toBe(404)
    await heading(page, 'This page does not exist')
    await follow(page, 'Go to the home page')
    await heading(page, 'Sign in to Gatehouse')
    const asset = await go(page, '/assets/of-an-earlier-version.js')
    expect({ status: asset?.status(), text: await asset?.text() }).toEqual({ status: 404, text: 'Not Found' })
  })
})

describe('what has been typed', () => {
  it('is kept on the other screens and after a return', async () => {
    const page = await open()
    await go(page, '/sign-in')
    await enterIdentifier(page, 'typed@example.com')
    await follow(page, 'Forgot password?')
    const email = page.getByLabel('Email', { exact: true })
    await expect.poll(() => email.inputValue()).toBe('typed@example.com')
    await email.fill('other@example.com')
    await follow(page, 'Back to sign in')
    await expect.poll(() => page.locator('input[name="identifier"]').inputValue()).toBe('other@example.com')
    await follow(page, 'Create an account')
    await expect.poll(() => email.inputValue()).toBe('other@example.com')
  })
})

nothingBroke()
