import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from './browser.ts'

/**
 * Checks the screen at both widths and in both themes: axe finds no violations, and nothing is wider than the window.
 * With SCREENSHOTS=folder it takes screenshots.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page, colorScheme === 'dark')
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0)
      const folder = process.env.SCREENSHOTS
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}
