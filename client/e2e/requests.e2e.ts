import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { go, heading, inPage, member, nothingBroke, setTheStage } from './dead-ends/stage.ts'

/** The requests of a signed-in screen, with an empty cache: the page, the font, the scripts and the calls. */
setTheStage()

const most = 20

async function requestsOf(page: Page, path: string, title: string): Promise<string[]> {
  const context = await page
    .context()
    .browser()!
    .newContext({
      locale: 'en-US',
      storageState: await page.context().storageState(),
    })
  const fresh = await context.newPage()
  const asked: string[] = []
  fresh.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await go(fresh, path)
  await heading(fresh, title)
  await fresh.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
  await fresh.waitForLoadState('networkidle')
  await context.close()
  return asked
}

it('the security page and the members need at most 20 requests', async () => {
  const { page } = await member()
  await inPage(page, '/organization/create', { name: 'Company', slug: 'company' })
  for (const [path, title] of [
    ['/account/security', 'Security'],
    ['/organization/members', 'Members'],
  ] as const) {
    const asked = await requestsOf(page, path, title)
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(most)
    // No call is sent twice.
    expect(asked.length).toBe(new Set(asked).size)
  }
})

nothingBroke()
