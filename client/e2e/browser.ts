import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

interface Candidate {
  from: string
  path(): Promise<string>
  args: string[]
}

// The browser inside @sparticuz/chromium unpacks itself into TMPDIR under a fixed name: a folder of our own keeps
// two runs (and two users) apart.
const privateFolder = () => mkdtempSync(join(tmpdir(), 'gatehouse-browser-'))

function candidates(folder: string): Candidate[] {
  const given = process.env.CHROME_PATH
  const known = given ? [given] : installed.filter((path) => existsSync(path))
  return [
    ...known.map((path) => ({ from: path, path: async () => path, args: flags })),
    {
      from: '@sparticuz/chromium',
      args: flags,
      async path() {
        const before = process.env.TMPDIR
        process.env.TMPDIR = folder
        try {
          const { default: packed } = await import('@sparticuz/chromium')
          return await packed.executablePath()
        } finally {
          if (before === undefined) delete process.env.TMPDIR
          else process.env.TMPDIR = before
        }
      },
    },
  ]
}

export interface OpenBrowser {
  browser: Browser
  close(): Promise<void>
}

/** CHROME_PATH, else a browser of the system, else the one in node_modules; the first that starts. */
export async function openBrowser(): Promise<OpenBrowser> {
  const folder = privateFolder()
  const failures: string[] = []
  for (const { from, path, args } of candidates(folder)) {
    try {
      const browser = await chromium.launch({ executablePath: await path(), args })
      return {
        browser,
        async close() {
          await browser.close()
          rmSync(folder, { recursive: true, force: true })
        },
      }
    } catch (error) {
      failures.push(`  ${from}: ${String(error).split('\n')[0]}`)
    }
  }
  rmSync(folder, { recursive: true, force: true })
  throw new Error(
    `No browser could be started. Set CHROME_PATH to a Chrome or Chromium. Tried:\n${failures.join('\n')}`,
  )
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
