import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright-core'
import { expect } from 'vitest'
import { type OpenBrowser, openBrowser as startBrowser } from './open-browser.ts'

export type { OpenBrowser } from './open-browser.ts'

let started: Promise<OpenBrowser> | undefined

/** One browser for all files of a process. `close` leaves only the browser itself. */
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

/** Milliseconds until what is awaited must have come: only a failing test takes so long, also on a slow machine. */
export const patience = 60_000

/** A device with its own cookies. */
export async function openDevice(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: 'en-US', ...options })
  const newPage = context.newPage.bind(context)
  context.newPage = async () => opensInApp(remembers(await newPage()))
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  return { context, page }
}

/** What the open pages complained about: a failed test prints the end of it. */
const complaints = new Map<Page, string[]>()

function remembers(page: Page): Page {
  const seen: string[] = []
  complaints.set(page, seen)
  page.on('close', () => complaints.delete(page))
  page.on('pageerror', (error) => seen.push(`threw ${error.stack ?? error.message}`))
  page.on('console', (message) => message.type() === 'error' && seen.push(message.text()))
  page.on('requestfailed', (request) => seen.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', (response) => response.status() >= 400 && seen.push(`${response.url()}: ${response.status()}`))
  return page
}

/** Each open page as a test left it: its address, its text, and its last ten complaints. */
export async function openPages(): Promise<string> {
  const shown = await Promise.all(
    [...complaints].map(async ([page, seen]) => {
      const text = await page
        .locator('body')
        .innerText({ timeout: 2000 })
        .catch((error) => String(error))
      return [page.url(), text.slice(0, 1500), ...seen.slice(-10)].join('\n')
    }),
  )
  return shown.join('\n\n')
}

/** Waits until the app has replaced the markup that the Worker has written into the page. */
export const inApp = (page: Page): Promise<void> => page.locator('[data-prerendered]').waitFor({ state: 'detached' })

/** `goto` and `reload` wait for the app, where `waitUntil` is not given: a step in the markup of the Worker is lost. */
function opensInApp(page: Page): Page {
  for (const name of ['goto', 'reload'] as const) {
    const open = page[name].bind(page) as (...given: unknown[]) => Promise<Response | null>
    page[name] = async (...given: unknown[]) => {
      const response = await open(...given)
      const options = given.at(-1)
      if (!(typeof options === 'object' && options && 'waitUntil' in options)) await inApp(page)
      return response
    }
  }
  return page
}

/**
 * Notes when the page has opened a channel (WebSocket): what happens before that has no message. To be called before the
 * page is opened. @returns waits for it
 */
export async function watchChannel(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(`{
    const Native = WebSocket
    globalThis.openChannels = 0
    globalThis.WebSocket = class extends Native {
      constructor(...given) {
        super(...given)
        this.addEventListener('open', () => { openChannels += 1 })
      }
    }
  }`)
  return () => expect.poll(() => page.evaluate<number>('openChannels')).toBeGreaterThan(0)
}

/** Waits until one of these elements has the focus: keys before that go elsewhere. */
export const focusOn = (page: Page, selector: string): Promise<void> =>
  expect
    .poll(() => page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`))
    .toBe(true)

/** The first step of the sign-in: the address, number or name. With `signIn.flow: 'combined'`, only its field. */
export async function enterIdentifier(page: Page, identifier: string): Promise<void> {
  await page.locator('input[name="identifier"]').fill(identifier)
  const next = page.locator('form').getByRole('button', { name: 'Continue', exact: true })
  if ((await next.count()) > 0) await next.click()
}

/** Sends a request from a page of ours, with its cookies. @returns its answer, which must have the status 200 */
export async function ask<Answer = { id: string; user: { id: string } }>(
  page: Page,
  path: string,
  body: object = {},
): Promise<Answer> {
  const [status, answer] = await page.evaluate<[number, Answer]>(`fetch('/api/auth${path}', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify(body))},
  }).then(async (answer) => [answer.status, await answer.json()])`)
  expect(status, `${path}: ${JSON.stringify(answer)}`).toBe(200)
  return answer
}

/** The minified file: each new document gets it. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Only violations are computed.
const runAxe = (options: object) => `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`

/** The rules about colours. */
const aboutColours = { runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * axe finds no violations on the current screen.
 * @param otherTheme the screen was checked in the other theme, which differs in its colours alone
 */
export async function expectAccessible(page: Page, otherTheme = false): Promise<void> {
  if (await page.evaluate('!window.axe')) await page.evaluate(axeSource)
  // During an animation a dialog or a message has other colours; one may begin while axe reads the page.
  const violations = async () => {
    await page.evaluate(`Promise.all(document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
      .map((animation) => animation.finished.catch(() => {})))`)
    return page.evaluate<string[]>(runAxe(otherTheme ? aboutColours : {}))
  }
  await expect.poll(violations, { message: `axe on ${new URL(page.url()).pathname}` }).toEqual([])
}

/** Whether closing the tab asks first. */
export const asksBeforeClosing = (page: Page): Promise<boolean> =>
  page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")

/** The browser's cumulative layout shift. */
export const shiftOf = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
  })`)
