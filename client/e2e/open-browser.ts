import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

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
  // A page of a test ends before optimised code pays off.
  '--js-flags=--no-opt',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

interface Candidate {
  from: string
  path(): Promise<string>
}

// @sparticuz/chromium unpacks its browser into TMPDIR under a fixed name: a separate folder isolates parallel runs and
// users.
function privateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-browser-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function candidates(): Candidate[] {
  const given = process.env.CHROME_PATH
  if (given) return [{ from: given, path: async () => given }]
  return [
    // A headless browser: it needs a third of the time for a page, and the lock file pins its version.
    {
      from: '@sparticuz/chromium',
      async path() {
        const before = process.env.TMPDIR
        process.env.TMPDIR = privateFolder()
        try {
          const { default: packed } = await import('@sparticuz/chromium')
          return await packed.executablePath()
        } finally {
          if (before === undefined) delete process.env.TMPDIR
          else process.env.TMPDIR = before
        }
      },
    },
    ...installed.filter((path) => existsSync(path)).map((path) => ({ from: path, path: async () => path })),
  ]
}

export interface OpenBrowser {
  browser: Browser
  close(): Promise<void>
}

/** CHROME_PATH, else the browser in node_modules, else one of the system; the first that starts. */
export async function openBrowser(): Promise<OpenBrowser> {
  const failures: string[] = []
  for (const { from, path } of candidates()) {
    try {
      const browser = await chromium.launch({ executablePath: await path(), args: flags })
      return { browser, close: () => browser.close() }
    } catch (error) {
      failures.push(`  ${from}: ${String(error).split('\n')[0]}`)
    }
  }
  throw new Error(
    `No browser could be started. Set CHROME_PATH to a Chrome or Chromium. Tried:\n${failures.join('\n')}`,
  )
}
