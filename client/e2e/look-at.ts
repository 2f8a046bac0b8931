import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from './browser.ts'

/** Fields of a form that lie on one another. */
const overlapping = `[...document.forms].flatMap((form) => {
  const fields = [...form.querySelectorAll('input:not([type=checkbox], [type=radio]), select, textarea')]
    .filter((field) => field.checkVisibility({ opacityProperty: true }))
    .map((field) => ({ name: field.name, box: field.getBoundingClientRect() }))
  return fields.flatMap((one, at) => fields.slice(at + 1)
    .filter(({ box }) => Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left) > 1
      && Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top) > 1)
    .map(({ name }) => one.name + ' and ' + name))
})`

/**
 * Checks the screen at both widths and in both themes: axe finds no violations, nothing is wider than the window, and no
 * field lies on another.
 * With SCREENSHOTS=folder it takes screenshots.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page, colorScheme === 'dark')
      const message = `${name} at ${width}`
      const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      await expect.poll(overflow, { message }).toBeLessThanOrEqual(0)
      await expect.poll(() => page.evaluate<string[]>(overlapping), { message }).toEqual([])
      const folder = process.env.SCREENSHOTS
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}
