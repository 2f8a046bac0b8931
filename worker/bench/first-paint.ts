import type { Browser } from 'playwright-core'
import { openBrowser } from '../../client/e2e/open-browser.ts'
import { startServer } from '../testing/server.ts'
import { quantile } from './load.ts'

/** The profile "Slow 4G" of the browser's developer tools: milliseconds, and bytes per second. */
const slow4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }

/** The results of the script below: milliseconds since the start of the navigation. */
const formPainted = 'globalThis.formPainted'

// The first frame after the insertion of the field shows it.
const watchForForm = `new MutationObserver((_, observer) => {
  if (!document.querySelector('input[name=identifier]')) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => { ${formPainted} = performance.now() }))
}).observe(document, { childList: true, subtree: true })`

interface Visit {
  /** The time of the first paint. */
  first: number
  /** The time when the form was painted. */
  form: number
  kibibytes: number
}

/** One visit of the sign-in with an empty cache. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const page = await context.newPage()
  await page.addInitScript(watchForForm)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow4G)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(`${url}/sign-in`)
  await page.locator('input[name=identifier]').waitFor({ timeout: 60_000 })
  let form: number | undefined
  while (!form) form = await page.evaluate<number | undefined>(formPainted)
  const first = await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`)
  await context.close()
  return { first, form, kibibytes: bytes / 1024 }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`.padStart(9)

/** Prints how long a user on a slow phone waits for the sign-in form. Needs `npm run build`. */
export async function measureFirstPaint(rounds: number): Promise<void> {
  const server = await startServer()
  const { browser, close } = await openBrowser()
  try {
    await visit(browser, server.url)
    const visits: Visit[] = []
    for (let n = 0; n < rounds; n++) visits.push(await visit(browser, server.url))
    const median = (pick: (one: Visit) => number) => quantile(visits.map(pick), 0.5)
    const kibibytes = median((one) => one.kibibytes).toFixed(0)
    console.log(`\nfirst paint of /sign-in, "Slow 4G", empty cache, ${kibibytes} KiB (median of ${rounds})`)
    console.log(`  something ${seconds(median(({ first }) => first))}`)
    console.log(`  the form  ${seconds(median(({ form }) => form))}   the aim: under 1 s`)
  } finally {
    await close()
    await server.close()
  }
}
