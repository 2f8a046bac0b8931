import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appPaths } from '../../worker/http/pages/app-paths.generated.ts'
import { startBillingServer } from '../../worker/testing/outside/billing-server.ts'
import { sample } from '../../worker/testing/sample.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { newest } from './mailbox.ts'

/**
 * Rules for every screen of the app: in English, in German with its long words, and from right to left in Arabic. New
 * routes are included automatically.
 */
type Tested = 'en' | 'de' | 'ar'
let server: TestServer
let chrome: OpenBrowser
let billing: Awaited<ReturnType<typeof startBillingServer>>
let someone = ''

beforeAll(async () => {
  billing = await startBillingServer(() => server.url)
  ;[server, chrome] = await Promise.all([
    startServer({ vars: { ADMIN_EMAILS: 'ada@example.com' }, config: { billing: billing.configuration } }),
    openBrowser(),
  ])
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
  await billing?.close()
})

const ask = (page: Page, path: string, body: object) =>
  page.evaluate<{ id: string; user: { id: string } }>(`fetch('/api/auth${path}', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify(body))},
  }).then((answer) => answer.json())`)

async function open(language: Tested): Promise<Page> {
  const { page } = await openDevice(chrome.browser, {
    locale: language,
    viewport: { width: 320, height: 256 },
    forcedColors: 'active',
    reducedMotion: 'reduce',
  })
  await page.goto(`${server.url}/goodbye`)
  await page.locator('h1').waitFor()
  return page
}

/** Navigates to another screen without a reload of the app. */
async function show(page: Page, path: string): Promise<void> {
  await page.locator('h1').waitFor()
  await page.evaluate(`{
    document.querySelector('h1').dataset.before = ''
    history.pushState(null, '', ${JSON.stringify(path.replace(':id', someone))})
  }`)
  await page.locator('h1:not([data-before])').waitFor()
  await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
}

/** Elements that overflow the window or are cut off by mistake. */
const lost = `(() => {
  const found = []
  const over = document.documentElement.scrollWidth - innerWidth
  if (over > 0) found.push('the page is ' + over + ' px too wide')
  for (const node of document.querySelectorAll('#app *')) {
    const style = getComputedStyle(node)
    if (!node.offsetParent || style.clipPath !== 'none' || style.position === 'fixed') continue
    const cut = ['hidden', 'clip'].includes(style.overflowX) && node.scrollWidth > node.clientWidth + 1
    if (cut && style.textOverflow !== 'ellipsis') found.push('cut off: ' + node.outerHTML.slice(0, 160))
  }
  return found
})()`

/** Controls that forced colours would hide, and elements that move. */
const unsteady = `(() => {
  const shown = [...document.querySelectorAll('main :is(button, input, select, textarea)')].filter((node) => node.offsetParent)
  const bare = shown
    .filter((node) => node.type !== 'checkbox' && getComputedStyle(node).position !== 'absolute')
    .filter((node) => node.closest('form') && node.matches('input, select, textarea, [type=submit]'))
    .filter((node) => getComputedStyle(node).borderTopStyle === 'none')
  const moving = [...document.querySelectorAll('#app *')].filter((node) => {
    const { transitionDuration, animationDuration } = getComputedStyle(node)
    return [...transitionDuration.split(','), ...animationDuration.split(',')].some((text) => parseFloat(text) > 0)
  })
  return [...bare.map((node) => 'no edge: '), ...moving.map((node) => 'moves: ')].map(
    (text, at) => text + [...bare, ...moving][at].outerHTML.slice(0, 160),
  )
})()`

/** In English and Arabic axe checks each screen with the dark theme; the walks of each feature check the light one. */
async function holdsEverywhere(page: Page, paths: readonly string[], language: Tested): Promise<void> {
  const problems: string[] = []
  for (const path of paths) {
    const note = async (when: string, script: string) => {
      let found: string[] = []
      const look = async () => {
        found = await page.evaluate<string[]>(script)
        return found
      }
      // What still arrives may move for a moment; what stays is a problem.
      await expect
        .poll(look, { timeout: 5000 })
        .toEqual([])
        .catch(() => undefined)
      problems.push(...found.map((problem) => `${path}, ${when}: ${problem}`))
    }
    await page.setViewportSize({ width: 320, height: 256 })
    await show(page, path)
    // 1280 px zoomed to 400 % are 320.
    await note('400 % zoom', lost)
    await note('forced colours, less motion', unsteady)
    await page.setViewportSize({ width: 640, height: 512 })
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await note('200 % text', lost)
    await page.evaluate(`document.documentElement.style.fontSize = ''`)
    if (language === 'de') continue
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' })
    await expectAccessible(page)
    await page.emulateMedia({ forcedColors: 'active' })
  }
  expect(problems).toEqual([])
  const direction = await page.evaluate<string>('getComputedStyle(document.body).direction')
  expect(direction).toBe(language === 'ar' ? 'rtl' : 'ltr')
}

// Former addresses lead to a part of these two pages.
const moved = /^\/(account\/(accounts|delete|email|passkeys|password|phone|sessions|two-factor)|organization\/roles)$/
const ofMembers = appPaths.filter(
  (path) => /^\/(account|admin|developers|organizations?)\//.test(path) && !moved.test(path),
)
const ofVisitors = appPaths.filter((path) => !ofMembers.includes(path) && path !== '/' && !moved.test(path))

async function member(language: Tested): Promise<Page> {
  const page = await open(language)
  const password = 'a long password of mine'
  const known = await ask(page, '/sign-in/email', { email: 'ada@example.com', password })
  if (!known.user) {
    const { user } = await ask(page, '/sign-up/email', { name: 'Ada Lovelace', email: 'ada@example.com', password })
    someone = user.id
    // Only users with a verified address can invite.
    await page.goto(await newest(server, 'ada@example.com', 'links'))
    const { id } = await ask(page, '/organization/create', { name: 'Analytical Engines', slug: 'engines' })
    const email = 'a-person-with-a-very-long-address@department.of.a.company.example.com'
    await ask(page, '/organization/invite-member', { email, role: 'admin', organizationId: id })
    await ask(page, '/api-key/create', { name: 'Deployment on Fridays' })
    await ask(page, '/oauth2/register', {
      client_name: 'Notebook',
      redirect_uris: ['https://app.example.com/callback'],
    })
  }
  await page.goto(`${server.url}/account/profile`)
  return page
}

describe.each(sample<Tested>(['en', 'de', 'ar'], 1))('in %s', (language) => {
  it('no screen without a session loses or hides anything', async () => {
    const page = await open(language)
    await holdsEverywhere(page, ofVisitors, language)
    await page.context().close()
  })

  it('no screen with a session loses or hides anything', async () => {
    const page = await member(language)
    await holdsEverywhere(page, ofMembers, language)

    // The same for the question about a row with a long name.
    if (language === 'en') {
      await show(page, '/organization/invitations')
      await page.getByRole('button', { name: /a-person-with-a-very-long-address/ }).click()
      await page.locator(':popover-open button').last().click()
      await page.locator('dialog[open]').waitFor()
      const question = "document.querySelector('dialog[open]')"
      await expect.poll(() => page.evaluate(`${question}.scrollWidth - ${question}.clientWidth`)).toBe(0)
    }
    await page.context().close()
  })
})
