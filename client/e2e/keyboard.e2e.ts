import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, previousCode } from '../../worker/testing/authenticator.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { inApp, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { newest } from './mailbox.ts'

/** The main paths without a pointer: no clicks, and no focus that the keyboard cannot reach. */
let server: TestServer
let chrome: OpenBrowser
let page: Page
const person = { name: 'Kim', email: 'kim@example.com', password: 'a long password of mine' }

beforeAll(async () => {
  server = await startServer()
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** The accessible name of the focused element. */
const focused = () =>
  page.evaluate<string>(`(() => {
    const node = document.activeElement
    if (!node.matches('a, button, input, select, summary, textarea')) return ''
    const label = node.getAttribute('aria-label') ?? (node.labels?.length ? node.labels[0].innerText : node.innerText)
    return (label ?? '').trim()
  })()`)

/** Presses Tab until the element with this name has the focus. */
async function tabTo(name: string | RegExp): Promise<void> {
  const passed: string[] = []
  const fits = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
  for (let n = 0; n < 60; n++) {
    const at = await focused()
    if (fits(at)) return
    passed.push(at)
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key never came to ${name}, but to: ${passed.join(' | ')}`)
}

async function type(name: string | RegExp, text: string): Promise<void> {
  await tabTo(name)
  await page.keyboard.type(text)
}

async function press(name: string | RegExp, key = 'Enter'): Promise<void> {
  await tabTo(name)
  await page.keyboard.press(key)
}

/** The elements that Tab reaches from the focused field. */
async function tabs(times: number): Promise<string[]> {
  const passed: string[] = []
  for (let n = 0; n < times; n++) {
    await page.keyboard.press('Tab')
    passed.push(await focused())
  }
  return passed
}

describe('the first empty field', () => {
  const fieldOf = (of: Page) => of.evaluate<string>('document.activeElement.name ?? document.activeElement.tagName')

  it.each([
    ['/sign-in', 'identifier'],
    ['/sign-up', 'name'],
    ['/forgot-password', 'email'],
    ['/sign-in/link', 'email'],
    ['/sign-in/code', 'email'],
    ['/sign-in/phone', 'phoneNumber'],
  ])('of %s has the focus with a mouse', async (path, name) => {
    await page.goto(server.url + path)
    await expect.poll(() => fieldOf(page)).toBe(name)
  })

  it('has the focus before the app is there', async () => {
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
    await page.goto(`${server.url}/sign-in`, { waitUntil: 'load' })
    await expect.poll(() => fieldOf(page)).toBe('identifier')
    await page.unroute(/\/assets\/.*\.js$/)
  })

  it('has no focus on a touch screen, where a keyboard would cover the page', async () => {
    const { context, page: phone } = await openDevice(chrome.browser, { hasTouch: true, isMobile: true })
    await phone.goto(`${server.url}/sign-in`)
    await phone.locator('#app [name=identifier]').waitFor()
    await expect.poll(() => phone.evaluate<boolean>('document.activeElement === document.body')).toBe(true)
    await context.close()
  })
})

describe('the Tab key', () => {
  it('goes from the identifier to the button, before the app is there', async () => {
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
    await page.goto(`${server.url}/sign-in`, { waitUntil: 'load' })
    await page.locator('[data-prerendered] [name=identifier]').focus()
    expect((await tabs(1))[0]).toBe('Continue')
    await page.unroute(/\/assets\/.*\.js$/)
  })

  it('does the same in the app; in the second step it comes to what reveals the password last', async () => {
    await page.goto(`${server.url}/sign-in`)
    await page.locator('#app [name=identifier]').focus()
    await page.keyboard.type('ada@example.com')
    expect((await tabs(1))[0]).toBe('Continue')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Password')
    expect(await tabs(4)).toEqual(['Sign in', 'Forgot password?', 'Stay signed in', 'Show password'])
    await page.keyboard.press('Space')
    await expect.poll(() => page.locator('#app [name=password]').getAttribute('type')).toBe('text')
    const reveal = page.getByRole('button', { name: 'Show password', description: 'Password', pressed: true })
    // It is displayed inside its field.
    const [eye, field] = [await reveal.boundingBox(), await page.locator('#app [name=password]').boundingBox()]
    expect(eye!.x + eye!.width).toBeCloseTo(field!.x + field!.width, 0)
    expect(eye).toMatchObject({ y: field!.y, height: field!.height })
  })
})

let secret = ''

describe('with only the keyboard, a user', () => {
  it('signs up', async () => {
    await page.goto(`${server.url}/sign-in`)
    await page.locator('form').waitFor()
    await press('Create an account')
    await heading('Create an account')
    await type('Name', person.name)
    await type('Email', person.email)
    await type('Password', person.password)
    await page.keyboard.press('Enter')
    await heading('Confirm your email address')
    await press('Continue')
    await heading('Profile')
  })

  it('sets up a second factor', async () => {
    await press('Security')
    await heading('Security')
    await page.locator('#two-factor button').waitFor()
    await press('Set up')
    await page.locator('#two-factor [name=password]').waitFor()
    // The field of the step has the focus.
    await expect.poll(focused).toBe('Your password')
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    secret = ((await page.locator('p[translate=no]').textContent()) ?? '').replace(/\s/g, '')
    await expect.poll(focused).toBe('Code from the app')
    await page.keyboard.type(await previousCode(`otpauth://totp/x?secret=${secret}&digits=6&period=30`))
    await page.getByText('Save your backup codes').waitFor()
    await press('I saved them')
    await page.getByText('10 unused codes left.').waitFor()
  })

  it('signs out by the menu, and in again with the second factor', async () => {
    // Only users with a verified address can invite.
    await (await server.database()).prepare('update users set email_verified = 1').run()
    await page.reload()
    await inApp(page)
    await heading('Security')
    await press(/^Account/)
    await press('Sign out')
    await heading('Sign in to Gatehouse')
    await type(/^Email/, person.email)
    await page.keyboard.press('Enter')
    // The field of the step has the focus.
    await expect.poll(focused).toBe('Password')
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await heading('Two-factor authentication')
    await expect.poll(focused).toBe('Code')
    await page.keyboard.type(await codeOf(`otpauth://totp/x?secret=${secret}&digits=6&period=30`))
    await heading('Profile')
  })

  it('invites a user, by a dialog that gives the focus back', async () => {
    await page.goto(`${server.url}/organizations/new`)
    await page.locator('main form').waitFor()
    await type('Name', 'Acme')
    await page.keyboard.press('Enter')
    await heading('Members')
    await press('Invite people')
    await page.getByRole('dialog').waitFor()
    await type('Email addresses', 'max@example.com')
    // The first one completes the address.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('We sent an invitation to max@example.com.').waitFor()
    await expect.poll(focused).toBe('Invite people')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Invite people')
  })

  it('accepts an invitation, from the mail to the members', async () => {
    await press(/^Account/)
    await press('Sign out')
    await heading('Sign in to Gatehouse')
    await page.goto(await newest(server, 'max@example.com', 'links'))
    await heading('Join Acme')
    await press('Create an account')
    await heading('Create an account')
    await type('Name', 'Max')
    await type('Password', person.password)
    await page.keyboard.press('Enter')
    await heading('Confirm your email address')
    await press('Continue')
    await heading('Join Acme')
    await press('Accept')
    await heading('Members')
    person.email = 'max@example.com'
  })

  it('deletes the account', async () => {
    await page.goto(`${server.url}/account/delete`)
    await page.locator('#delete button').waitFor()
    await press('Delete account')
    await page.getByRole('dialog').locator('[name=password]').waitFor()
    await type(/^Type/, person.email)
    await type('Your password', person.password)
    await page.keyboard.press('Enter')
    await heading('Your account has been deleted')
  })
})
