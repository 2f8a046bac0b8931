import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyMail, plainBrand } from '../../worker/testing/mails.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  server = await startServer({
    config: {
      appName: 'Acme',
      brand: {
        accent: { light: '#7a1fa2', dark: '#e1b3f5' },
        logo: { light: '/favicon.svg?by=day', dark: '/favicon.svg?by=night' },
        favicon: { light: '/favicon.svg?icon=day', dark: '/favicon.svg?icon=night' },
        support: 'mailto:help@acme.example',
      },
    },
  })
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

describe('the brand on the screens, without a build of its own', () => {
  const logo = () =>
    page.locator('header img, main img, a img').and(page.locator(':visible')).first().getAttribute('src')

  it('the logo follows the theme: of the system, and the one that was chosen', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('heading', { level: 1, name: 'Sign in to Acme' }).waitFor()
    await expect.poll(logo).toContain('by=day')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(logo).toContain('by=night')
    await page.evaluate("document.documentElement.dataset.theme = 'light'")
    expect(await logo()).toContain('by=day')
    await page.evaluate("document.documentElement.dataset.theme = 'dark'")
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await logo()).toContain('by=night')
    await page.evaluate('delete document.documentElement.dataset.theme')
  })

  it('the colour, the link to support, and the picture of the window', async () => {
    const leading = "getComputedStyle(document.querySelector('button[type=submit]')).backgroundColor"
    expect(await page.evaluate(leading)).toBe('rgb(122, 31, 162)')
    expect(await page.getByRole('link', { name: 'Support' }).getAttribute('href')).toBe('mailto:help@acme.example')
    const icons = await page
      .locator('link[rel=icon]')
      .evaluateAll((links) => links.map((link) => [link.getAttribute('media'), link.getAttribute('href')]))
    const landed = await Promise.all(icons.map(async ([, href]) => (await fetch(server.url + href)).url))
    expect(icons.map(([media]) => media)).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'])
    expect(landed).toEqual([`${server.url}/favicon.svg?icon=day`, `${server.url}/favicon.svg?icon=night`])
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })
})

describe('mails in a browser', () => {
  const brand = {
    ...plainBrand,
    name: 'Acme',
    support: 'mailto:help@acme.example',
    terms: 'https://acme.example/terms',
  }
  const long = {
    person: 'Wolfeschlegelsteinhausenbergerdorff von und zu',
    organization: 'Donaudampfschifffahrt'.repeat(3),
  }

  it.each([
    ['en', 'light', 360],
    ['de', 'dark', 360],
    ['de', 'light', 600],
    ['en', 'dark', 600],
  ] as const)(
    'in %s, %s, at %d px: nothing is cut off, and it reads on its paper',
    async (language, colorScheme, width) => {
      // Without the policy of the app's pages, which forbids the styles that mails carry.
      await page.goto('about:blank')
      await page.setViewportSize({ width, height: 740 })
      await page.emulateMedia({ colorScheme })
      for (const [name, { html }] of Object.entries(everyMail(language, brand, long))) {
        await page.setContent(html)
        const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(excess, name).toBeLessThanOrEqual(0)
        const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor')
        expect(paper, name).toBe(colorScheme === 'dark' ? 'rgb(18, 18, 17)' : 'rgb(247, 247, 245)')
        if (['invitation', 'sign-in code'].includes(name)) await expectAccessible(page)
      }
    },
  )
})
