import { describe, expect, it } from 'vitest'
import { type Answer, type Device, origin, TestApp } from '../testing/harness.ts'
import { alice, signIn, signUp } from '../testing/people.ts'
import { count, rowOf } from '../testing/rows.ts'
import { addAuthenticator, updateUsers } from '../testing/states.ts'

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'user-agent': 'Mozilla/5.0' }
const newApp = () =>
  new TestApp({
    rateLimit: { enabled: false },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true, sendDeleteAccountVerification: true } },
  })

interface Kind {
  /** The browser that requests the link. */
  request(app: TestApp): Promise<Device>
  /** Whether the effect of the link has happened. */
  isUsed(): Promise<boolean>
  /** Only the user of the link can use it, in a browser with a session. */
  needsSession?: true
}

const kinds: Record<string, Kind> = {
  'confirmation of an address': {
    request: (app) => signUp(app, alice),
    isUsed: async () => Boolean((await rowOf('users'))!.emailVerified),
  },
  'magic link': {
    request: async (app) => {
      const device = app.device()
      await device.post('/sign-in/magic-link', { email: alice.email, callbackURL: '/dash' })
      return device
    },
    isUsed: async () => (await count('sessions')) > 0,
  },
  'change of address': {
    request: async (app) => {
      const device = await signUp(app, alice)
      await device.get(await app.linkTo(alice.email))
      await app.clearMailbox()
      await device.post('/change-email', { newEmail: 'new@example.com', callbackURL: '/changed' })
      return device
    },
    isUsed: async () => (await rowOf('users'))!.email === 'new@example.com',
    needsSession: true,
  },
  'deletion of an account': {
    request: async (app) => {
      const device = await signUp(app, alice)
      await app.clearMailbox()
      await device.post('/delete-user', { password: alice.password, callbackURL: '/bye' })
      return device
    },
    isUsed: async () => (await count('users')) === 0,
    needsSession: true,
  },
}

async function prepared({ request, needsSession }: Kind) {
  const app = newApp()
  await app.clearMailbox()
  const own = await request(app)
  const link = await app.linkTo(alice.email)
  const other = needsSession ? await signIn(app, alice) : app.device()
  return { app, own, link, other }
}

/** A link that is opened as browsers do. */
const open = (device: Device, link: string, headers: Record<string, string> = {}): Promise<Answer> =>
  device.get(link, { headers: { ...navigation, ...headers } })

const press = (device: Device, link: string): Promise<Answer> =>
  device.post(link, '', { headers: { ...navigation, 'content-type': 'application/x-www-form-urlencoded' } })

/** The target of the form of a page. */
function formOf({ status, body, headers }: Answer): string {
  expect(status).toBe(200)
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(body).not.toContain('<script')
  expect([...String(body).matchAll(/<button/g)]).toHaveLength(1)
  const [, action] = /<form method="post" action="([^"]*)"/.exec(body)!
  return origin + action!.replaceAll('&amp;', '&')
}

describe.each(Object.entries(kinds))('a mailed link: %s', (_name, kind) => {
  it('a GET of the requesting browser uses it, once', async () => {
    const { own, link } = await prepared(kind)
    expect((await open(own, link)).status).toBe(302)
    expect(await kind.isUsed()).toBe(true)
    const sessions = await count('sessions')
    const again = await open(own, link)
    expect([302, 401, 404]).toContain(again.status)
    expect(await count('sessions')).toBe(sessions)
  })

  it('a GET of another browser shows a page with one button, which uses it', async () => {
    const { app, own, link, other } = await prepared(kind)
    const shown = await open(other, link)
    const target = formOf(shown)
    expect(shown.cookies.join()).not.toContain('session_token')
    expect(await kind.isUsed()).toBe(false)
    expect((await press(other, target)).status).toBe(302)
    expect(await kind.isUsed()).toBe(true)
    for (const device of [own, other, app.device()]) {
      const again = await open(device, link)
      expect(again.status).toBeLessThan(500)
      expect(String(again.body)).not.toContain('<form')
    }
  })

  it.each(['en', 'de', 'ar'])('the page is in the language of the browser: %s', async (language) => {
    const { link, other } = await prepared(kind)
    const { body } = await open(other, link, { 'accept-language': language })
    expect(body).toContain(`<html lang="${language}"`)
    expect(body).not.toMatch(/[{}]appName/)
  })

  it('no GET of a mail scanner, HEAD or prefetch uses it', async () => {
    const { app, own, link } = await prepared(kind)
    for (const device of [app.device(), own]) {
      const head = await app.fetch(new Request(link, { method: 'HEAD', headers: navigation }))
      const prefetch = await open(device, link, { 'sec-purpose': 'prefetch' })
      expect([head.status, prefetch.status]).toEqual([503, 503])
    }
    for (const headers of [{}, { accept: '*/*' }, { accept: '' }, { origin: 'https://scanner.example' }] as Record<
      string,
      string
    >[]) {
      expect((await open(app.device(), link, headers)).status).toBeLessThan(500)
      expect(await kind.isUsed()).toBe(false)
    }
    expect((await open(own, link)).status).toBe(302)
    expect(await kind.isUsed()).toBe(true)
  })

  it.each([
    ['an Origin of ours', { accept: '*/*', origin }],
    ['Accept: application/json', { accept: 'application/json' }],
    ['a script of our origin', { accept: '*/*', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
  ])('a GET of a program uses it: %s', async (_what, headers) => {
    const { link, other } = await prepared(kind)
    expect((await other.get(link, { headers: headers as Record<string, string> })).status).toBe(302)
    expect(await kind.isUsed()).toBe(true)
  })

  it('a mark of another browser, and a link without one, show the page', async () => {
    const { link, other } = await prepared(kind)
    await other.post('/sign-in/magic-link', { email: 'other@example.com' })
    formOf(await open(other, link))
    const without = new URL(link)
    without.searchParams.delete('browser')
    formOf(await open(other, without.href))
    expect(await kind.isUsed()).toBe(false)
  })

  it('the button of another site is refused', async () => {
    const { link, other } = await prepared(kind)
    const { status } = await other.post(link, '', { headers: { origin: 'https://evil.example' } })
    expect({ status, used: await kind.isUsed() }).toEqual({ status: 403, used: false })
  })
})

describe('the button of a link that leads to another site', () => {
  it('opens it with a page, which the policy of the form permits', async () => {
    const app = new TestApp({ trustedOrigins: ['https://shop.example.com'] })
    await app.clearMailbox()
    const device = app.device()
    await device.post('/sign-in/magic-link', { email: alice.email, callbackURL: 'https://shop.example.com/in' })
    const { status, body, cookies } = await press(app.device(), await app.linkTo(alice.email))
    expect(status).toBe(200)
    expect(body).toContain('content="0;url=https://shop.example.com/in"')
    expect(cookies.join()).toContain('session_token')
  })
})

describe('a confirmation link in a browser that did not sign up', () => {
  it('confirms the address and changes nothing else', async () => {
    const app = newApp()
    const own = await signUp(app, alice)
    const { id } = (await rowOf('users'))!
    await addAuthenticator(id)
    await updateUsers({ twoFactorEnabled: true })
    const phone = app.device()
    const { cookies } = await press(phone, await app.linkTo(alice.email))
    expect(cookies.join()).not.toContain('session_token')
    expect(await rowOf('users')).toMatchObject({ emailVerified: true, twoFactorEnabled: true, securityVersion: 0 })
    expect((await own.get('/list-sessions')).status).toBe(200)
    expect(await count('two_factors')).toBe(1)
    const { body } = await app.device().post('/sign-in/email', alice)
    expect(body).toEqual({ twoFactorRedirect: true })
  })

  it('ends the access, and notifies the owner, where the address makes an administrator', async () => {
    const app = new TestApp({ rateLimit: { enabled: false }, admin: { emails: [` ${alice.email.toUpperCase()} `] } })
    const attacker = await signUp(app, alice)
    const { cookies } = await press(app.device(), await app.linkTo(alice.email))
    expect(cookies.join()).not.toContain('session_token')
    expect((await attacker.get('/list-sessions')).status).toBe(401)
    expect((await attacker.post('/sign-in/email', alice)).status).toBe(401)
    const [notice] = await app.notices()
    expect(notice).toMatchObject({ to: alice.email, subject: expect.stringContaining('earlier ways to sign in') })
  })
})
