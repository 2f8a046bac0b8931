import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedElements } from '../../worker/kit/embedded-elements.ts'
import { freePort } from '../../worker/testing/ports.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'

// /embed.js in a page of another origin without a framework, under a strict content security policy, and /dev/components.

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }

let server: TestServer
let pages: Server
let origin: string
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

/**
 * @param asked `scheme`: the `color-scheme` of the page; `meta`: that of its document; `theme`: the attribute of the element,
 *   none if empty; `plain`: without the attribute `appearance`
 */
const html = (asked: URLSearchParams) => `<!doctype html><html lang="en"><head><title>Shop</title>
<meta name="viewport" content="width=device-width">
${asked.has('meta') ? `<meta name="color-scheme" content="${asked.get('meta')}">` : ''}
<style nonce="own">[data-bs-theme="dark"] { color-scheme: dark !important } button { background: red !important; font-size: 40px } body { margin: 0 } html { color-scheme: ${asked.get('scheme') ?? 'normal'} }</style>
<script type="module" src="${server.url}/embed.js"></script>
<script type="module" nonce="own">
  window.seen = []
  for (const type of ['signed-in', 'signed-out'])
    document.querySelector('gatehouse-sign-in').addEventListener(type, ({ detail }) => seen.push([type, detail?.email]))
</script></head>
<body><main><h1>Shop</h1><gatehouse-user-button></gatehouse-user-button>
<gatehouse-sign-in ${asked.has('theme') ? `theme="${asked.get('theme')}"` : ''} ${asked.has('plain') ? '' : `appearance='{"accentFill":"#0f766e"}'`}>Loading</gatehouse-sign-in></main></body></html>`

beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  const brand = { accent: { light: '#9a3b14' }, radius: 'small', elements: { title: { letterSpacing: '3px' } } }
  server = await startServer({ config: { appName: 'Acme', trustedOrigins: [origin], brand } as never })
  pages = createServer(({ url = '' }, response) => {
    const from = server.url
    const policy = `default-src 'none'; script-src 'nonce-own' ${from}; style-src 'nonce-own' ${from}; connect-src ${from} ${from.replace('http', 'ws')}; img-src ${from} https: data:`
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      .end(html(new URL(url, origin).searchParams))
  }).listen(port)
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
})
afterAll(async () => {
  pages?.close()
  await chrome?.close()
  await server?.close()
})

describe('/embed.js', () => {
  it('may be loaded by pages of other origins, with all that it loads', async () => {
    for (const path of ['/embed.js', '/embed.css']) {
      const { status, headers } = await fetch(server.url + path)
      expect([status, headers.get('access-control-allow-origin')], path).toEqual([200, '*'])
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
  })

  it('signs in on the page, with events; the styles of the page stay outside', async () => {
    await page.goto(`${server.url}/sign-in`)
    await ask(page, '/sign-up/email', ada)
    await page.context().clearCookies()
    await page.goto(`${origin}/?theme=light`, { waitUntil: 'load' })
    const element = page.locator('gatehouse-sign-in')
    await element.locator('input[name="identifier"]').fill(ada.email)
    const fill = () =>
      page.evaluate<string[]>(`(({ backgroundColor, fontSize }) => [backgroundColor, fontSize])(
        getComputedStyle(document.querySelector('gatehouse-sign-in button[type=submit]')))`)
    await expect.poll(async () => (await fill())[0]).toBe('rgb(15, 118, 110)')
    expect((await fill())[1]).not.toBe('40px')
    await expect.poll(() => element.textContent()).not.toContain('Loading')
    await lookAt(page, 'embed-sign-in')
    await element.getByRole('button', { name: 'Continue', exact: true }).click()
    // In the document itself, where password managers look.
    await expect
      .poll(() => page.evaluate("document.querySelector('input[type=password]').autocomplete"))
      .toBe('current-password')
    await element.getByLabel('Password').first().fill(ada.password)
    await element.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('gatehouse-user-button').getByRole('button').waitFor()
    await expect.poll(() => page.evaluate('seen')).toEqual([['signed-in', ada.email]])
    await expect.poll(() => new URL(page.url()).origin).toBe(origin)
    await expect.poll(() => page.locator('gatehouse-sign-in input').count()).toBe(0)
  })

  it('in a page that the deployment does not trust, names what to add, in the console and in its place', async () => {
    const { context, page: own } = await openDevice(chrome.browser)
    const told: string[] = []
    own.on('console', (message) => told.push(message.text()))
    const other = origin.replace('localhost', '127.0.0.1')
    await own.goto(`${other}/`, { waitUntil: 'load' })
    const element = own.locator('gatehouse-sign-in')
    const advice = `add ${other} to trustedOrigins`
    await element.getByText(advice).waitFor()
    await expect.poll(() => told.filter((text) => text.includes(advice))).toHaveLength(1)
    await expect.poll(() => element.locator('input').count()).toBe(0)
    await expect.poll(() => element.textContent()).not.toContain('Sign in to')
    await lookAt(own, 'embed-untrusted')
    await expectAccessible(own)
    await context.close()
  })

  it.each(['light', 'dark'] as const)(
    'has the theme of a %s device, of its attribute or of the page',
    async (device) => {
      const { context, page: own } = await openDevice(chrome.browser, { colorScheme: device })
      const ofDevice = device === 'dark'
      /** Whether a field is darker than the middle grey. */
      const isDark = async () => {
        await own.locator('gatehouse-sign-in input[name="identifier"]').waitFor()
        return own.evaluate<boolean>(`(() => {
        const pixel = new OffscreenCanvas(1, 1).getContext('2d')
        pixel.fillStyle = getComputedStyle(document.querySelector('gatehouse-sign-in input')).backgroundColor
        pixel.fillRect(0, 0, 1, 1)
        return pixel.getImageData(0, 0, 1, 1).data[0] < 128
      })()`)
      }
      const shown: Record<string, unknown> = {}
      for (const scheme of ['normal', 'light', 'dark', 'light dark']) {
        for (const theme of ['', 'light', 'dark', 'system']) {
          await own.goto(`${origin}/?scheme=${scheme}${theme && `&theme=${theme}`}`, { waitUntil: 'load' })
          shown[`${scheme}, ${theme}`] = await isDark()
        }
      }
      const chosen = { light: false, dark: true, system: ofDevice }
      const ofPage = { normal: false, light: false, dark: true, 'light dark': ofDevice }
      expect(shown).toEqual(
        Object.fromEntries(
          Object.entries(ofPage).flatMap(([scheme, inherited]) =>
            Object.entries({ '': inherited, ...chosen }).map(([theme, dark]) => [`${scheme}, ${theme}`, dark]),
          ),
        ),
      )
      await own.goto(`${origin}/?scheme=light`, { waitUntil: 'load' })
      await expect.poll(isDark).toBe(false)
      await own.evaluate(`document.documentElement.style.colorScheme = 'dark'`)
      await expect.poll(isDark).toBe(true)
      for (const [meta, dark] of Object.entries({ dark: true, 'light dark': ofDevice, light: false })) {
        await own.goto(`${origin}/?meta=${meta}`, { waitUntil: 'load' })
        expect({ meta, dark: await isDark() }).toEqual({ meta, dark })
      }
      // An attribute of a framework.
      await own.evaluate(`document.documentElement.dataset.bsTheme = 'dark'`)
      await expect.poll(isDark).toBe(true)
      await context.close()
    },
  )

  it('has the brand of the deployment, in both themes', async () => {
    const { context, page: own } = await openDevice(chrome.browser)
    const shown = () =>
      own.evaluate<object>(`(() => {
        const style = (selector) => getComputedStyle(document.querySelector('gatehouse-sign-in ' + selector))
        const { backgroundColor: button, borderRadius: corners } = style('button[type=submit]')
        return { button, corners, title: style('.gh-title').letterSpacing }
      })()`)
    const brand = { corners: '4px', title: '3px' }
    for (const [theme, button] of [
      ['light', 'rgb(154, 59, 20)'],
      ['dark', 'rgb(194, 76, 28)'],
    ]) {
      await own.goto(`${origin}/?plain&theme=${theme}`, { waitUntil: 'load' })
      await own.locator('gatehouse-sign-in button[type=submit]').waitFor()
      expect({ theme, ...(await shown()) }).toEqual({ theme, button, ...brand })
    }
    await context.close()
  })

  it('follows attributes and elements that are added and removed', async () => {
    await page.evaluate(`document.querySelector('main').append(document.createElement('gatehouse-user-profile'))`)
    const profile = page.locator('gatehouse-user-profile')
    await profile.getByLabel('Name').first().waitFor()
    await page.evaluate(`document.querySelector('gatehouse-user-profile').setAttribute('language', 'de')`)
    await profile.getByText('Profil', { exact: true }).first().waitFor()
    await page.evaluate(`document.querySelector('gatehouse-user-profile').remove()`)
    await profile.waitFor({ state: 'detached' })
    await page.locator('gatehouse-user-button').getByRole('button').waitFor()
  })

  it('needs no more than the policy of the page allows', () => {
    expect(complaints).toEqual([])
  })
})

describe('/dev/components', () => {
  it('shows each component with its themes, languages and states, without an error', async () => {
    const own = (await openDevice(chrome.browser)).page
    const failures: string[] = []
    own.on('pageerror', (error) => failures.push(String(error)))
    own.on('console', (message) => {
      if (/Content Security|Uncaught/.test(message.text())) failures.push(message.text())
    })
    await own.goto(`${server.url}/sign-in`)
    const frame = (component: string, more = '') => `${server.url}/dev/components/frame?component=${component}${more}`
    for (const component of ['sign-in', 'sign-up']) {
      for (const more of ['&theme=dark&language=ar', '&state=loading', '&state=unavailable']) {
        await own.goto(frame(component, more), { waitUntil: 'load' })
        await own.locator(`gatehouse-${component} .gh-root`).waitFor()
        await expectAccessible(own)
      }
    }
    await own.goto(frame('sign-in', '&language=ar'), { waitUntil: 'load' })
    await own.locator('[dir=rtl] input[name="identifier"]').waitFor()
    await lookAt(own, 'gallery-sign-in-ar')
    await ask(own, '/sign-in/email', ada)
    await ask(own, '/organization/create', { name: 'Engines', slug: 'engines' })
    for (const component of Object.keys(embeddedElements).filter((name) => !/^sign|pricing/.test(name))) {
      await own.goto(frame(component), { waitUntil: 'load' })
      await own.locator(`gatehouse-${component} .gh-root :is(button, input):visible`).first().waitFor()
      await lookAt(own, `gallery-${component}`)
    }
    await own.goto(`${server.url}/dev/components`, { waitUntil: 'load' })
    await own.getByLabel('component').selectOption('user-profile')
    await own.getByLabel('width').selectOption('768')
    await own.getByRole('button', { name: 'Show' }).click()
    await own.frameLocator('iframe[title="user-profile"]').locator('.gh-root input:visible').first().waitFor()
    expect(failures).toEqual([])
  })
})
