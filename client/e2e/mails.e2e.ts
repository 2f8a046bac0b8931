import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyMail } from '../../worker/rpc/every-mail.ts'
import { plainBrand } from '../../worker/testing/mails.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

/** Every mail as a browser shows it. */
let chrome: OpenBrowser
let page: Page

beforeAll(async () => {
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
})
afterAll(() => chrome?.close())

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
    // Without the content security policy of the app, which forbids the inline styles of mails.
    await page.goto('about:blank')
    await page.setViewportSize({ width, height: 740 })
    await page.emulateMedia({ colorScheme })
    for (const [name, { html }] of Object.entries(await everyMail(language, brand, long))) {
      await page.setContent(html)
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(excess, name).toBeLessThanOrEqual(0)
      const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(paper, name).toBe(colorScheme === 'dark' ? 'rgb(18, 18, 17)' : 'rgb(247, 247, 245)')
      if (['invitation', 'sign-in code'].includes(name)) await expectAccessible(page)
    }
  },
)

/** The width of each line of a heading. */
const linesOf = `(() => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector('h1'))
  return [...range.getClientRects()].map(({ width }) => width)
})()`

it('a heading in Japanese leaves no letter alone in its last line, and an address breaks at its parts', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const [name, { html }] of Object.entries(await everyMail('ja', brand))) {
    await page.setContent(html)
    const lines = await page.evaluate<number[]>(linesOf)
    expect(lines.at(-1)! / Math.max(...lines), name).toBeGreaterThan(0.3)
  }
  const { html } = (await everyMail('ja', brand))['security notice']!
  await page.setContent(html)
  const broken = await page.evaluate<boolean>(`(() => {
    const text = [...document.querySelectorAll('.soft a')].at(0).firstChild
    const range = document.createRange()
    range.setStart(text, text.data.lastIndexOf('/') + 1)
    range.setEnd(text, text.data.length)
    return range.getClientRects().length > 1
  })()`)
  expect(broken).toBe(false)
})
