import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type OpenBrowser, openBrowser } from '../../client/e2e/open-browser.ts'
import { pack } from '../testing/consumer.ts'
import { Stranger } from '../testing/stranger.ts'

/**
 * The React components in a product of Next as its own production builds make it, from a server component, without a
 * configuration for them. Next comes from npm: `npm run test:products`.
 */
describe('the components in a production build of Next', () => {
  const packs = mkdtempSync(join(tmpdir(), 'gatehouse-pack-'))
  let browser: OpenBrowser
  let stranger: Stranger
  let server: { stop(): Promise<void> } | undefined

  beforeAll(async () => {
    const tarball = await pack(packs)
    browser = await openBrowser()
    stranger = await Stranger.arrive('https://registry.npmjs.org')
    const init = `npx --yes --package=${tarball} gatehouse-auth init Acme --template next`
    await stranger.type(init, 'acme')
    stranger.write(
      'acme/app/src/app/embedded/page.tsx',
      `import { GatehouseProvider, SignedIn, SignedOut, SignIn } from 'gatehouse-auth/react/components'
import 'gatehouse-auth/react/components.css'

export default async function Embedded() {
  return (
    <GatehouseProvider baseURL="http://localhost:8787/api/auth">
      <SignedOut>
        <SignIn />
      </SignedOut>
      <SignedIn>Your reports</SignedIn>
    </GatehouseProvider>
  )
}
`,
    )
    stranger.useFreePorts()
    await stranger.type('npm install', 'acme')
    await stranger.type('npx wrangler d1 migrations apply DB --local', 'acme')
    await stranger.start(
      `npx wrangler dev --port ${new URL(stranger.accounts).port} --inspector-port 0`,
      [`${stranger.accounts}/api/auth/ok`],
      'acme',
    )
  }, 900_000)
  afterEach(() => server?.stop())
  afterAll(async () => {
    await stranger?.leave()
    await browser?.close()
    rmSync(packs, { recursive: true, force: true })
  })

  it.each(['npx next build', 'npx next build --webpack'])(
    '%s: a sign-in in the theme of the page, on light and dark devices, without a warning',
    async (build) => {
      expect(await stranger.type(build, 'acme/app')).not.toMatch(/warn/i)
      server = await stranger.start('npm run start', [stranger.product], 'acme/app')
      const told: string[] = []
      const shown: Record<string, string> = {}
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const scheme of ['normal', 'light', 'dark', 'light dark']) {
          const context = await browser.browser.newContext({ colorScheme, locale: 'en-US' })
          const page = await context.newPage()
          page.on('pageerror', ({ message }) => told.push(message))
          page.on('console', (message) => {
            if (['error', 'warning'].includes(message.type())) told.push(message.text())
          })
          await page.goto(`${stranger.product}/embedded`)
          await page.locator('.gh-card input').first().waitFor({ timeout: 120_000 })
          // The component follows the page in the next frame.
          await page.evaluate(`new Promise((resolve) => {
            document.documentElement.style.colorScheme = '${scheme}'
            requestAnimationFrame(() => requestAnimationFrame(resolve))
          })`)
          const grey = await page.evaluate<number>(`(() => {
            const pixel = new OffscreenCanvas(1, 1).getContext('2d')
            pixel.fillStyle = getComputedStyle(document.querySelector('.gh-card input')).backgroundColor
            pixel.fillRect(0, 0, 1, 1)
            return pixel.getImageData(0, 0, 1, 1).data[0]
          })()`)
          shown[`${colorScheme}, ${scheme}`] = grey < 128 ? 'dark' : 'light'
          await context.close()
        }
      }
      expect(told).toEqual([])
      expect(shown).toEqual({
        ...{ 'light, normal': 'light', 'light, light': 'light', 'light, dark': 'dark', 'light, light dark': 'light' },
        ...{ 'dark, normal': 'light', 'dark, light': 'light', 'dark, dark': 'dark', 'dark, light dark': 'dark' },
      })
    },
    600_000,
  )
})
