import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestHarness } from 'wrangler'
import { expectAccessible, type OpenBrowser, openBrowser } from '../../client/e2e/browser.ts'
import { quietEnvironment, root, run } from '../scripts/tools.ts'
import { built, isBuilt } from './guides.ts'

/** The built site behind the static assets of a Worker, with the headers of the app. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'))
const config = {
  name: 'docs',
  compatibility_date: '2026-10-01',
  assets: { directory: './files', not_found_handling: 'none' },
}
writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(config))
const server = createTestHarness({ workers: [{ configPath: join(folder, 'wrangler.json') }] })

let opened: OpenBrowser
let origin: string

beforeAll(async () => {
  opened = await openBrowser()
  if (!isBuilt(built)) {
    expect(await run('vitepress', ['build', 'worker/docs', '--logLevel', 'warn'], { env: quietEnvironment })).toBe(0)
  }
  cpSync(built, join(folder, 'files/docs'), { recursive: true })
  cpSync(join(root, 'client/public/_headers'), join(folder, 'files/_headers'))
  origin = (await server.listen()).url.origin
})

afterAll(async () => {
  await server.close()
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What pages report or request that they should not. */
let faults: string[]
beforeEach(() => {
  faults = []
})
afterEach(() => {
  expect(faults).toEqual([])
})

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await opened.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.on('console', (message) => /error|warning/.test(message.type()) && faults.push(message.text()))
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/docs`) && !request.url().startsWith('data:')) faults.push(request.url())
  })
  page.setDefaultTimeout(120_000)
  await page.goto(`${origin}/docs${path}`)
  // Keys and buttons do nothing until the scripts of the page have taken over its markup.
  if (options.javaScriptEnabled !== false) {
    await page.waitForFunction("Boolean(document.querySelector('#app')?.__vue_app__)")
  }
  return page
}

const isWide = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

const paths = () =>
  globSync('*.html', { cwd: built })
    .filter((file) => file !== '404.html')
    .map((file) => `/${file === 'index.html' ? '' : file.slice(0, -5)}`)

describe('the documentation in a browser', () => {
  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, on a desk and on a phone',
    async (colorScheme) => {
      for (const width of [1280, 360]) {
        const page = await open('/', { colorScheme, viewport: { width, height: 800 } })
        for (const path of [
          '/',
          '/introduction',
          '/concept-step-up',
          '/social-sign-in',
          '/options',
          '/frameworks',
          '/changelog',
        ]) {
          await page.goto(`${origin}/docs${path}`)
          await expectAccessible(page)
        }
        expect(await page.locator('html').getAttribute('class')).toEqual(
          colorScheme === 'dark' ? expect.stringContaining('dark') : expect.not.stringContaining('dark'),
        )
        await page.context().close()
      }
    },
  )

  it('has a page for each group of options, and the address of a section leads to it', async () => {
    const page = await open('/options#session')
    await page.locator('#session + p a').click()
    await page.waitForURL('**/docs/options-session')
    await page.getByRole('heading', { level: 1, name: 'Options: session' }).waitFor()
    const highest = async (path: string) => {
      await page.goto(`${origin}/docs${path}`)
      return page.evaluate<number>('document.documentElement.scrollHeight')
    }
    for (const path of ['/options', '/options-identityprovider']) expect(await highest(path)).toBeLessThan(20_000)
    await page.context().close()
  })

  it('no page is wider than a phone', async () => {
    const page = await open('/', { viewport: { width: 360, height: 800 } })
    const wide: string[] = []
    for (const path of paths()) {
      await page.goto(`${origin}/docs${path}`)
      if (await isWide(page)) wide.push(path)
    }
    expect(wide).toEqual([])
  })

  it.each([
    ['pasword reset', 'Email and password'],
    ['hide username', 'All options'],
    ['privaterelay', 'Social sign-in'],
    ['INVALID_ORIGIN', 'Troubleshooting'],
  ])('the search finds "%s" in %s', async (words, title) => {
    const page = await open('/')
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.getByRole('searchbox').fill(words)
    await page.locator('.result').filter({ hasText: title }).first().waitFor()
    await expectAccessible(page)
    await page.context().close()
  })

  it('the search is used by the keyboard alone', async () => {
    const page = await open('/passkeys')
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.type('when a receiver was down')
    await page.locator('.result.selected').filter({ hasText: 'Webhooks' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/webhooks/)
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.context().close()
  })

  it('goes to the next page and to a section, and keeps the theme', async () => {
    const page = await open('/passkeys', { colorScheme: 'light' })
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL('**/docs/two-factor')
    await page.getByRole('switch').first().click()
    await page.goto(`${origin}/docs/social-sign-in`)
    expect(await page.locator('html').getAttribute('class')).toContain('dark')
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Apple', exact: true })
      .click()
    await page.waitForURL('**/docs/social-sign-in#apple')
    await page.context().close()
  })

  it('copies code, also a command without a language', async () => {
    for (const [path, text] of [
      ['/passkeys', "rpID: 'example.com'"],
      ['/ai-tools', 'npm install gatehouse-auth'],
    ] as const) {
      const page = await open(path, { permissions: ['clipboard-read', 'clipboard-write'] })
      await page.locator('button.copy').first().click()
      await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toContain(text)
      await page.context().close()
    }
  })

  it('opens the list of guides on a phone', async () => {
    const page = await open('/passkeys', { viewport: { width: 360, height: 800 } })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.locator('.VPSidebar').getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.waitForURL('**/docs/webhooks')
    await page.context().close()
  })

  it.each([1280, 360])('is read without JavaScript at %s px', async (width) => {
    const page = await open('/passkeys', { javaScriptEnabled: false, viewport: { width, height: 800 } })
    await page.getByText('Decide on the domain before the first user.').waitFor()
    expect((await page.locator('h1').boundingBox())!.y).toBeLessThan(250)
    await page.locator('.VPSidebar').getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.waitForURL('**/docs/webhooks')
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.context().close()
  })
})

it('has the Markdown beside each page, and a list for models that names it', async () => {
  const list = await (await fetch(`${origin}/docs/llms.txt`)).text()
  const links = [...list.matchAll(/\]\(([^)]+)\): \S/g)].map(([, path]) => path!)
  expect(links.length).toBe(globSync('worker/guides/*.md', { cwd: root }).length - 1)
  for (const path of links) {
    const response = await fetch(origin + path)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      expect.stringContaining('text/markdown'),
    ])
    const guide = path.replace('/docs/', 'worker/guides/')
    expect(await response.text()).toBe(readFileSync(join(root, guide), 'utf8'))
  }
})
