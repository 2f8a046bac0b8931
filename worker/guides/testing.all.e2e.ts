import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenBrowser, openBrowser, patience } from '../../client/e2e/browser.ts'
import { root } from '../scripts/tools.ts'
import { Workplace, wrangler } from '../testing/consumer.ts'
import { freePort } from '../testing/ports.ts'

/** testing.md from an empty folder with the packed tarball: its files as printed, except for the ports. */
const place = new Workplace()
const ports: Record<string, string> = {}
const placed = (code: string) => Object.entries(ports).reduce((text, [from, to]) => text.replaceAll(from, to), code)

const guide = readFileSync(join(root, 'worker/guides/testing.md'), 'utf8')
/** The printed files by name. */
const files = new Map([...guide.matchAll(/^```ts (\S+)\n([\s\S]+?)^```/gm)].map(([, name, code]) => [name!, code!]))

interface Printed {
  tests: [name: string, run: (given: { page: Page; context: BrowserContext }) => Promise<void>][]
  before: (() => Promise<void>)[]
}

/** Collects printed tests for this test, with the matchers that the guide uses. */
const collector = `
const printed = (globalThis.printed ??= { tests: [], before: [] })
export const test = (name, run) => printed.tests.push([name, run])
test.beforeEach = (run) => printed.before.push(run)
export const expect = globalThis.expectLocator
export const defineConfig = (config) => config
`

const expectLocator = (locator: Locator) => ({
  toBeVisible: () => locator.waitFor(),
  toHaveValue: (value: string) => expect.poll(() => locator.inputValue()).toBe(value),
})

let browser: OpenBrowser
beforeAll(async () => {
  ports['8787'] = String(await freePort())
  ports['9500'] = String(await freePort())
  await place.installPackage()
  await place.run(place.path('node_modules/gatehouse-auth/dist/package/gatehouse.js'), ['init', 'Acme'])
  place.borrow('vitest', '@cloudflare/vitest-plugin', '@cloudflare/workers-types', 'wrangler')
  // The Worker inside vitest has no port.
  const isInside = (name: string) => /^(?:vitest|src|test)\b/.test(name)
  for (const [name, code] of files)
    place.write(name, isInside(name) ? code.replaceAll('9500', ports['9500']!) : placed(code))
  place.write('.dev.vars', placed(place.read('.dev.vars')))
  place.write('node_modules/@playwright/test/package.json', '{ "type": "module", "exports": "./index.js" }')
  place.write('node_modules/@playwright/test/index.js', collector)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await place.close()
})

it('prints the files of both ways', () => {
  expect([...files.keys()]).toEqual([
    'vitest.config.mts',
    'test/setup.ts',
    'test/billing.ts',
    'src/reports.ts',
    'test/reports.test.ts',
    'playwright.config.ts',
    'e2e/account.test.ts',
  ])
})

it('vitest runs the printed tests inside workerd', async () => {
  const said = await place.run(join(root, 'node_modules/vitest/vitest.mjs'), ['run', '--no-color'])
  expect(said).toMatch(/Tests +3 passed \(3\)/)
})

it('a browser runs the printed tests against wrangler dev', async () => {
  Object.assign(globalThis, { expectLocator })
  const importFile = (name: string) => import(/* @vite-ignore */ pathToFileURL(place.path(name)).href)
  const { default: config } = await importFile('playwright.config.ts')
  const { command, url } = config.webServer as { command: string; url: string }
  const [migrate, dev] = command.split(' && ').map((line) => line.split(' ').slice(2))
  await place.run(wrangler, migrate!)
  await place.startWorker(dev!.slice(1), new URL(url).origin, new URL(url).pathname)
  await importFile('e2e/account.test.ts')
  const { tests, before } = (globalThis as unknown as { printed: Printed }).printed
  expect(tests.length).toBe(3)
  for (const [name, run] of tests) {
    for (const prepare of before) await prepare()
    const context = await browser.browser.newContext({ baseURL: config.use.baseURL, locale: 'en-US' })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    await run({ page, context }).catch(async (thrown) => {
      throw new Error(`${name}: ${thrown}\n${page.url()}\n${await page.locator('body').innerText()}`)
    })
    await context.close()
  }
})
