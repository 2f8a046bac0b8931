import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, type OpenBrowser, openBrowser } from '../../client/e2e/browser.ts'
import { documentation } from './docs.ts'

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
}

let opened: OpenBrowser
let server: Server
let origin: string

beforeAll(async () => {
  opened = await openBrowser()
  const files = documentation()
  server = createServer(({ url }, response) => {
    const name = url!.slice(1) || 'index.html'
    const text = files.get(name)
    response.writeHead(text === undefined ? 404 : 200, {
      'content-type': types[name.split('.').at(-1)!] ?? 'text/plain',
    })
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.close()
  await opened.close()
})

describe('the documentation in a browser', () => {
  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (colorScheme) => {
    const context = await opened.browser.newContext({ colorScheme })
    const page = await context.newPage()
    for (const name of ['index', 'social-sign-in', 'options', 'oauth-client']) {
      await page.goto(`${origin}/${name}.html`)
      await expectAccessible(page)
    }
    await context.close()
  })

  it('shows the list of guides beside the text, and on a phone as a menu above it', async () => {
    const context = await opened.browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await page.goto(`${origin}/passkeys.html`)
    const link = page.getByRole('navigation').getByRole('link', { name: 'Webhooks' })
    await link.waitFor()
    expect(await page.locator('nav summary').isVisible()).toBe(false)
    await page.setViewportSize({ width: 360, height: 800 })
    await page.reload()
    expect(await link.isVisible()).toBe(false)
    expect((await page.locator('h1').boundingBox())!.y).toBeLessThan(250)
    await page.getByText('Guides', { exact: true }).click()
    await link.click()
    await page.waitForURL('**/webhooks.html')
    await expectAccessible(page)
    await context.close()
  })

  it('searches, follows a result, changes the theme and keeps it, copies code', async () => {
    const context = await opened.browser.newContext({
      colorScheme: 'light',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    await page.goto(origin)
    await page.getByLabel('Search').fill('privaterelay')
    await page.getByRole('link', { name: 'Social sign-in: Apple' }).click()
    await page.waitForURL('**/social-sign-in.html#apple')
    await page.getByLabel('Search').fill('nothing-has-this-word')
    await page.getByText('Nothing found').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Dark theme' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Light theme' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('GITHUB_CLIENT_ID')
    await context.close()
  })
})
