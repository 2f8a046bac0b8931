import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type OpenBrowser, openBrowser as startBrowser } from './open-browser.ts'

export type { OpenBrowser } from './open-browser.ts'

let started: Promise<OpenBrowser> | undefined

/** One browser for all files of a process, one after the other; `close` leaves nothing behind but the browser itself. */
export async function openBrowser(): Promise<OpenBrowser> {
  started ??= startBrowser()
  const { browser } = await started
  return {
    browser,
    async close() {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
  }
}

/** A device of its own: its cookies and its user agent are shared with no other. */
export async function openDevice(
  browser: Browser,
  userAgent?: string,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: 'en-US', ...(userAgent ? { userAgent } : {}) })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  return { context, page }
}

// All rules of axe, but only what it found: the rest would be worked out and thrown away.
const runAxe = `axe.run(document, { resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`

/** axe finds nothing on the screen as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  // Half-way through, a dialog that is coming in has other colours than its own.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
    .map((animation) => animation.finished.catch(() => {})))`)
  if (await page.evaluate('!window.axe')) await page.evaluate(axe.source)
  expect(await page.evaluate<string[]>(runAxe), `axe on ${new URL(page.url()).pathname}`).toEqual([])
}

/** The browser's own sum of everything that moved without having been asked to. */
export const shiftOf = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
  })`)
