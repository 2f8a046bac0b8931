import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from '../../../client/e2e/browser.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []
const asked: string[] = []

beforeAll(async () => {
  server = await startServer()
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('request', (request) => asked.push(request.url()))
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

describe.each(['/api/auth/reference', '/api/reference'])('%s in a browser', (path) => {
  it('is one document that loads nothing else, readable at every width and in both themes', async () => {
    asked.length = 0
    await page.goto(server.url + path)
    expect(await page.locator('details').count()).toBeGreaterThan(100)
    expect(asked.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([server.url + path])
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(`${server.url}${path}?q=/sign-in/email`)
        await expectAccessible(page)
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0)
        if (process.env.SCREENSHOTS) {
          const file = `${path.replaceAll('/', '-').slice(1)}-${width}-${colorScheme}.png`
          await page.screenshot({ path: `${process.env.SCREENSHOTS}/${file}` })
        }
      }
    }
  })

  it('is searched by keyboard, for a path, a word or an error code', async () => {
    await page.goto(server.url + path)
    await page.getByLabel('Search endpoints').focus()
    await page.keyboard.type('FAILED_TO_GET_A_VALID_ACCESS_TOKEN refresh')
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .getByText(/^\d+ endpoints?$/)
      .waitFor()
    await page.getByLabel('Search endpoints').fill('no such thing anywhere')
    await page.keyboard.press('Enter')
    await page.getByText('0 endpoints').waitFor()
    await page.getByLabel('Search endpoints').fill('/sign-in/email-otp')
    await page.keyboard.press('Enter')
    await page.getByText('1 endpoint', { exact: true }).waitFor()
    const example = page.getByRole('region', { name: 'POST /sign-in/email-otp with the client' })
    await example.waitFor()
    expect(await example.textContent()).toContain('authClient.signIn.emailOtp({')
    await page.locator('summary').first().focus()
    await page.keyboard.press('Enter')
    await example.waitFor({ state: 'hidden' })
    expect(complaints.filter((text) => /Content Security Policy|Error/.test(text))).toEqual([])
  })
})

it('its curl lines are commands that work', async () => {
  await page.goto(`${server.url}/api/reference?q=/ok`)
  const line = await page.getByRole('region', { name: 'GET /ok with curl' }).textContent()
  const [command, ...words] = line!.replaceAll('\\\n', ' ').trim().split(/\s+/)
  expect(command).toBe('curl')
  // Not the blocking variant: this process forwards the server's port.
  const given = words.map((word) => word.replaceAll("'", ''))
  const { stdout } = await promisify(execFile)('curl', ['--silent', '--max-time', '10', ...given])
  expect(JSON.parse(stdout)).toEqual({ ok: true })
})
