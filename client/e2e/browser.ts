import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

export { type OpenBrowser, openBrowser } from './open-browser.ts'

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

/** axe finds nothing on the screen as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  // Half-way through, a dialog that is coming in has other colours than its own.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
    .map((animation) => animation.finished.catch(() => {})))`)
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found, `axe on ${new URL(page.url()).pathname}`).toEqual([])
}
