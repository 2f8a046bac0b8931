import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberFrames } from '../app/frames.ts'
import { administrator, inPage, openStage, server, withAdministrator } from './dead-ends/stage.ts'

/** The frames of signed-in screens: what the page of the Worker contains is what the app shows, and its largest text. */
openStage({
  config: {
    organization: { teams: { enabled: true } },
    enterprise: { enabled: true },
    identityProvider: { enabled: true, resourcesPerOrganization: 1 },
    sharedSignals: { registration: true },
  },
  vars: withAdministrator,
})

/** Billing needs a provider: its page is in the tests of billing. */
const paths = Object.keys(memberFrames).filter((path) => path !== '/account/billing')

let page: Page

const longName = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh the Third of a Long Family'

beforeAll(async () => {
  page = await administrator()
  await inPage(page, '/update-user', { name: longName })
  const organization = (await inPage(page, '/organization/create', { name: `${longName} Ltd`, slug: 'long' })) as {
    id: string
  }
  await inPage(page, '/organization/set-active', { organizationId: organization.id })
  await page.setViewportSize({ width: 360, height: 740 })
  // Fonts are not a part of this test: one may arrive between the frame and the app.
  await page.context().route('**/*.woff2', (route) => route.abort())
  await page.addInitScript(`
    window.largest = []
    new PerformanceObserver((list) => window.largest.push(...list.getEntries()))
      .observe({ type: 'largest-contentful-paint', buffered: true })`)
})
afterAll(() => page?.context().close())

/** The places of the title, the introduction and the heads of sections, by their texts; the height at which one is up to the first section. */
const heads = () =>
  page.evaluate<
    Record<string, (number | null)[]>
  >(`Object.fromEntries([...document.querySelectorAll('main :is(h1, h2, h1 + div, h2 + p)')]
    .filter((node) => node.checkVisibility())
    .map((node) => [node, node.getBoundingClientRect()])
    .map(([node, { left, top, width, height }]) => [
      node.textContent,
      [left, node.closest('section')?.matches('section ~ *') ? null : top, width, height].map((n) => n && Math.round(n)),
    ]))`)

/** The addresses that the page requests before the app runs, which the browser of the test does not do. */
async function takeEarly(path: string): Promise<Set<string>> {
  const early = new Set<string>()
  await page.route(server.url + path, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace(/<link rel="preload" href="([^"]+)" as="fetch"[^>]*>/g, (_, address) => {
      early.add(address)
      return ''
    })
    await route.fulfill({ response: answer, body })
  })
  return early
}

/** Holds back the scripts until the frame is painted. */
async function holdScripts(): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

describe('the frame of', () => {
  it.each(paths)('%s is what the app shows, its largest text, and early with its requests', async (path) => {
    const asked = new Set<string>()
    const note = (request: Request) => void asked.add(request.url().replace(server.url, ''))
    page.on('request', note)
    const [early, release] = [await takeEarly(path), await holdScripts()]
    await page.goto(server.url + path, { waitUntil: 'commit' })
    await expect.poll(() => page.evaluate('window.largest?.length')).toBeGreaterThan(0)
    const before = await heads()
    expect(Object.keys(before).length).toBeGreaterThan(0)
    release()
    await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
    await expect.poll(heads).toMatchObject(before)
    // The text that was painted largest was in the frame, whose nodes the app has replaced.
    const largest = await page.evaluate('window.largest.map(({ element }) => element?.textContent ?? null).at(-1)')
    expect(largest).toBeNull()
    expect(early.size).toBeGreaterThan(0)
    await expect.poll(() => [...early].filter((address) => !asked.has(address))).toEqual([])
    page.off('request', note)
    await page.unrouteAll({ behavior: 'wait' })
  })
})
