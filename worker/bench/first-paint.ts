import type { Browser, Cookie } from 'playwright-core'
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

/** A phone far from a data centre: 1.6 Mbit/s, 150 ms, and a quarter of this machine's speed. */
const phone = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

interface Load {
  /** The first and the largest contentful paint: milliseconds since the start of the navigation. */
  first: number
  largest: number
  /** The cumulative layout shift. */
  shift: number
  /** Of scripts, as the browser receives them. */
  kibibytes: number
}

/** One visit of a page with an empty cache. It ends when the network has been idle for half a second. */
async function load(browser: Browser, url: string, cookies: Cookie[]): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-US' })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', phone)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const scripts = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(url, { waitUntil: 'networkidle', timeout: 60_000 })
  const [first, largest, shift] = await page.evaluate<[number, number, number]>(`new Promise((resolve) => {
    const of = (type) => new Promise((found) => new PerformanceObserver((list) => found(list.getEntries())).observe({ type, buffered: true }))
    const none = new Promise((found) => setTimeout(() => found([]), 500))
    Promise.all(['paint', 'largest-contentful-paint', 'layout-shift'].map((type) => Promise.race([of(type), none]))).then(
      ([paints, largest, shifts]) => resolve([
        paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? 0,
        largest.at(-1)?.startTime ?? 0,
        shifts.reduce((sum, { value, hadRecentInput }) => (hadRecentInput ? sum : sum + value), 0),
      ]))
  })`)
  await context.close()
  return { first, largest, shift, kibibytes: bytes / 1024 }
}

/** A user with an organization. @returns the cookies */
async function signUp(browser: Browser, url: string): Promise<Cookie[]> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/goodbye`)
  const post = (path: string, body: object) =>
    page.evaluate(`fetch('/api/auth${path}', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(body))},
    }).then((answer) => answer.json())`)
  await post('/sign-up/email', { name: 'Ada Lovelace', email: 'ada@example.com', password: 'a long password of mine' })
  await post('/organization/create', { name: 'Analytical Engines', slug: 'engines' })
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** What a page may take on the phone: the largest contentful paint in milliseconds. */
const targets = { '/sign-in': 700, '/account/profile': 1500, '/account/security': 1500, '/organization/members': 1500 }

async function measurePages(browser: Browser, url: string, rounds: number): Promise<void> {
  const cookies = await signUp(browser, url)
  console.log(`\n1.6 Mbit/s, 150 ms, CPU / 4, empty cache (median of ${rounds})`)
  console.log('                            first    largest  (target)    shift    scripts')
  for (const [path, target] of Object.entries(targets)) {
    const loads: Load[] = []
    for (let n = 0; n < rounds; n++) loads.push(await load(browser, url + path, path === '/sign-in' ? [] : cookies))
    const median = (pick: (one: Load) => number) => quantile(loads.map(pick), 0.5)
    const columns = [
      path.padEnd(22),
      seconds(median(({ first }) => first)),
      seconds(median(({ largest }) => largest)),
      seconds(target),
      median(({ shift }) => shift)
        .toFixed(3)
        .padStart(9),
      `${median(({ kibibytes }) => kibibytes).toFixed(1)} KiB`.padStart(11),
    ]
    console.log(`  ${columns.join(' ')}`)
  }
}

/** Prints how long a user on a slow phone waits for the sign-in form and for pages. Needs `npm run build`. */
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
    await measurePages(browser, server.url, rounds)
  } finally {
    await close()
    await server.close()
  }
}
