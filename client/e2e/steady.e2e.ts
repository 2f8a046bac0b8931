import { matchesGlob } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, patience, shiftOf } from './browser.ts'
import { chrome, openStage, server } from './dead-ends/stage.ts'

/** Layout shifts during loading, preferred colours and motion, and large text. */
const names = {
  'demo-google': 'Google',
  'demo-github': 'GitHub',
  'demo-microsoft': 'Microsoft',
  'demo-apple': 'Apple',
  'demo-gitlab': 'GitLab',
}

openStage({ providers: names })

/** A slow 4G connection, as browsers define it. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 560,
    downloadThroughput: 180_000,
    uploadThroughput: 84_000,
  })
}

const inPage = (page: Page, path: string, body: object) =>
  page.evaluate(
    ([url, text]) =>
      fetch(url as string, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text as string }),
    [`/api/auth${path}`, JSON.stringify(body)],
  )

/** A page of a new user or of a guest. */
async function member(viewport: { width: number; height: number }, isGuest = false): Promise<Page> {
  const context = await chrome.browser.newContext({ locale: 'en-US', viewport })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  await page.goto(`${server.url}/goodbye`)
  const person = { name: 'Ada', email: `${crypto.randomUUID()}@example.com`, password: 'a long password' }
  await (isGuest ? inPage(page, '/sign-in/anonymous', {}) : inPage(page, '/sign-up/email', person))
  return page
}

// The slow connection takes the time, and each page has its own.
describe.concurrent('the layout', () => {
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    for (const path of ['/sign-in', '/sign-up', '/sign-in?error=access_denied']) {
      it(`of ${path} stays where it is while it loads, at ${width} px`, async () => {
        const context = await chrome.browser.newContext({ locale: 'en-US', viewport: { width, height } })
        context.setDefaultTimeout(patience)
        const page = await context.newPage()
        await slowDown(page)
        await page.goto(server.url + path)
        await page.getByText('Show 1 more').waitFor()
        await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await shiftOf(page)).toBeLessThan(0.02)
        await context.close()
      })
    }
  }
})

/** The page waits a limited time for its parts: on a slow machine it would be over before the test looks. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

/**
 * Follows the requests of a page with stopped time. `allBut` waits until only the one that the test holds back has no
 * response. The time goes on by one millisecond between looks, for what the page only defers.
 */
function openRequests(page: Page) {
  const open = new Map<Request, string>()
  page.on('request', (request) => void open.set(request, new URL(request.url()).pathname))
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
  const look = async () => {
    await page.clock.runFor(1)
    return [...open.values()]
  }
  return {
    allBut: async (held: string) => {
      const others = async () => (await look()).map((path) => matchesGlob(path, held))
      // Rarely: the limited time passes by a millisecond with each look.
      await expect.poll(others, { interval: 200 }).toEqual([true])
    },
  }
}

describe('a signed-in page', () => {
  for (const [path, held] of [
    ['/account/security', '**/passkey/list-user-passkeys'],
    ['/account/security#sessions', '**/list-accounts'],
    ['/account/profile#email', '**/assets/username-section-*.js'],
    ['/account/profile', '**/assets/guest-banner-*.js'],
  ] as const) {
    it(`${path} comes in whole, also when ${held} answers last`, async () => {
      const page = await member({ width: 360, height: 740 }, held.includes('guest'))
      // A system without a font of the same measures moves lines when the font arrives.
      await page.route('**/*.woff2', (route) => route.abort())
      let release = () => {}
      const others = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(held, async (route) => {
        await others
        await route.continue()
      })
      await stopTime(page)
      const open = openRequests(page)
      await page.goto(`${server.url}${path}`, { waitUntil: 'domcontentloaded' })
      await open.allBut(held)
      const loaded = page.locator('#app main section:not(:has([data-skeleton]))').filter({ visible: true })
      await expect.poll(() => loaded.count()).toBe(0)
      release()
      await page.clock.resume()
      await loaded.last().waitFor()
      await page.waitForLoadState('networkidle')
      expect(await shiftOf(page)).toBeLessThan(0.02)
      const [, id] = path.split('#')
      // Screen readers continue at its heading.
      if (id) await expect.poll(() => page.evaluate<string>(`document.activeElement.closest('section')?.id`)).toBe(id)
      await page.context().close()
    })
  }
})

describe('a slow part', () => {
  it('hides the others for a limited time only', async () => {
    const page = await member({ width: 360, height: 740 })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/list-sessions', async (route) => {
      await held
      await route.continue()
    })
    await stopTime(page)
    const open = openRequests(page)
    await page.goto(`${server.url}/account/security`)
    await open.allBut('**/list-sessions')
    await page.clock.runFor(1500)
    await page.clock.resume()
    await page.locator('#app').getByRole('heading', { name: 'Ways to sign in' }).waitFor()
    await expect.poll(() => page.locator('#sessions [data-skeleton]').count()).toBe(1)
    release()
    await page.getByText('This device').first().waitFor()
    await page.context().close()
  })
})

describe('the frame of a signed-in screen', () => {
  const screens = [
    ['/account/profile', 'Profile', 'Email address'],
    ['/account/security', 'Security', 'Passkeys'],
    ['/account/billing', null, null],
    ['/developers/api-keys', 'API keys', null],
  ] as const

  /** Places of the headings, by name. */
  const headings = (page: Page) =>
    page.evaluate<Record<string, number[]>>(`Object.fromEntries([...document.querySelectorAll('h1, h2')]
      .filter((node) => node.checkVisibility())
      .map((node) => [node.textContent, [node.getBoundingClientRect().left, node.getBoundingClientRect().height]]))`)

  it.each(screens)('%s is in the page, in the places of the app', async (path, title, section) => {
    for (const width of [360, 1280]) {
      const page = await member({ width, height: 740 })
      const cookies = await page.context().cookies()
      const context = await chrome.browser.newContext({
        javaScriptEnabled: false,
        locale: 'en-US',
        viewport: { width, height: 740 },
      })
      await context.addCookies(cookies)
      const still = await context.newPage()
      await still.goto(server.url + path)
      const before = await headings(still)
      if (title === null) {
        expect(before).toEqual({})
        continue
      }
      await page.goto(server.url + path)
      await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
      expect(Object.keys(before)[0]).toBe(title)
      if (section) expect(before).toHaveProperty(section)
      await expect.poll(() => headings(page)).toMatchObject(before)
      await Promise.all([page.context().close(), context.close()])
    }
  })

  it('is in the language of the browser, and from right to left', async () => {
    const page = await member({ width: 360, height: 740 })
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name.endsWith('session_token'))
    const html = async (language: string, headers: object = {}) =>
      (await fetch(`${server.url}/account/security`, { headers: { 'accept-language': language, ...headers } })).text()
    const session = { cookie: `${cookie!.name}=${cookie!.value}` }
    expect(await html('de', session)).toMatch(/<html lang="de" dir="ltr"[\s\S]*<h1[^>]*>Sicherheit<\/h1>/)
    expect(await html('ar', session)).toMatch(/<html lang="ar" dir="rtl"[\s\S]*<h1[^>]*>الأمان<\/h1>/)
    expect(await html('en')).not.toContain('<h1')
    await page.context().close()
  })

  it('every early request is one of the screen', async () => {
    const page = await member({ width: 1280, height: 800 })
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname + new URL(request.url()).search))
    for (const path of ['/account/profile', '/account/security', '/organization/members']) {
      requests.length = 0
      await page.goto(server.url + path)
      await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle')
      const early = await page.evaluate<string[]>(
        `[...document.querySelectorAll('link[rel=preload][as=fetch]')].map((link) => link.getAttribute('href'))`,
      )
      expect(early.length).toBeGreaterThan(1)
      // The browser uses the answer for the screen's own request. The list for password managers is read again.
      const twice = early.filter((address) => requests.filter((one) => one === address).length > 1)
      expect(twice.filter((address) => !address.endsWith('/list-user-passkeys'))).toEqual([])
    }
    await page.context().close()
  })
})

describe('the preferences of the user', () => {
  it('forced colours: every control still shows its edge', async () => {
    const context = await chrome.browser.newContext({ locale: 'en-US', forcedColors: 'active' })
    const page = await context.newPage()
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
    const bare = await page.evaluate<string[]>(`[...document.querySelectorAll('main button, main input')]
      .filter((node) => node.offsetParent && !node.matches('[type=checkbox], [aria-pressed], ul + button'))
      .filter((node) => getComputedStyle(node).borderTopStyle === 'none')
      .map((node) => node.outerHTML)`)
    expect(bare).toEqual([])
    await expectAccessible(page)
    await context.close()
  })

  it('less motion: nothing is animated', async () => {
    const context = await chrome.browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
    const moving = `[...document.querySelectorAll('*')].filter((node) => {
      const { transitionDuration, animationDuration } = getComputedStyle(node)
      return [...transitionDuration.split(','), ...animationDuration.split(',')].some((text) => parseFloat(text) > 0)
    }).length`
    await expect.poll(() => page.evaluate<number>(moving)).toBe(0)
    await context.close()
  })
})

describe('what appears over a page', () => {
  it('a toast covers nothing that can be used', async () => {
    const page = await member({ width: 360, height: 740 })
    await page.goto(`${server.url}/account/profile`)
    await page.getByLabel('Name', { exact: true }).fill('Ada L.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Your profile has been saved.').waitFor()
    const covered = await page.evaluate<string[]>(`(() => {
      const toast = document.querySelector('[popover=manual]').getBoundingClientRect()
      return [...document.querySelectorAll('main a, main button, main input, header a, header button')]
        .filter((node) => node.offsetParent)
        .filter((node) => {
          const { left, right, top, bottom } = node.getBoundingClientRect()
          return left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top
        })
        .map((node) => node.outerHTML)
    })()`)
    expect(covered).toEqual([])
    await page.context().close()
  })

  it('a long menu fits into the window, scrolls, and can be searched', async () => {
    const page = await member({ width: 360, height: 740 })
    for (let n = 1; n <= 12; n++)
      await inPage(page, '/organization/create', { name: `Company ${n}`, slug: `company-${n}-${crypto.randomUUID()}` })
    await page.setViewportSize({ width: 360, height: 400 })
    await page.goto(`${server.url}/account/profile`)
    await page.getByRole('button', { name: /^Organization/ }).click()
    const search = page.getByRole('searchbox', { name: 'Find an organization' })
    await search.waitFor()
    const [outside, scrolls] = await page.evaluate<[boolean, boolean]>(`(() => {
      const menu = document.querySelector('[popover]:popover-open')
      const { left, right, top, bottom } = menu.getBoundingClientRect()
      return [left < 0 || top < 0 || right > innerWidth || bottom > innerHeight, menu.scrollHeight > menu.clientHeight]
    })()`)
    expect({ outside, scrolls }).toEqual({ outside: false, scrolls: true })
    await search.fill('company 12')
    await expect.poll(() => page.getByRole('button', { name: /^Company/ }).count()).toBe(1)
    await expectAccessible(page)
    await page.context().close()
  })
})
